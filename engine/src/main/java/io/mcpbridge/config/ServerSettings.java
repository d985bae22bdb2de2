package io.mcpbridge.config;

import io.mcpbridge.config.IsolationSettings.ExecutionLimits;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The settings that servers of every transport have, such as {@code discovery-timeout}, the time-out of the discovery. The
 * other keys of the section belong to the transport. Immutable, except for {@link #settings()}, which
 * the transport's provider reads.
 *
 * @param name the name in the configuration
 * @param type the name of the transport's provider, such as {@code stdio}, {@code http} or {@code unix}
 * @param settings the whole section, for the transport's provider; it allows unknown keys
 * @param enabled whether the bridge uses the server
 * @param timeout the time-out of the handshake and of each attempt
 * @param retry how often and how patiently a failed call is tried again
 * @param reconnect how the bridge reconnects after a loss
 * @param healthCheckUrl the URL of its health page, if it has one
 * @param logsCalls whether the log has each attempt of a call at {@code INFO}
 * @param trusted whether the bridge trusts the server's annotations of its tools
 * @param shared whether all principals share its sessions
 * @param sessions the number of sessions of one principal, or of all callers if it is shared
 * @param startsEagerly whether the bridge connects to the server at startup rather than at its first call
 * @param protocol the configured era of the server, or {@code AUTO}
 * @param discoveryTimeout the time-out of the discovery on a byte stream, after which the bridge treats the server as a
 *     legacy one. The key is {@code discovery-timeout}. The discovery takes at most half of the time that is left after
 *     connecting, so that the handshake can follow. Over HTTP, or if the era is known or configured, only
 *     {@code timeout} applies.
 * @param schemes the URI schemes of resources that the server serves without listing them, in lower case and without a
 *     colon
 * @param extensions the methods that clients may call although the specification does not define them
 * @param listLimits the limits of its lists
 * @param isolation whether each call of a tool has a process of its own
 * @param anyTool the settings of a tool without a section
 * @param tools the tools that have sections of their own, by name
 * @param ownToolNames the own names of tools by their aliases
 * @param toolFilter selects the tools; clients do not see the others
 * @param alias the prefix of the names of its tools and prompts for clients; its name, unless {@code alias} is set
 */
public record ServerSettings(
        String name,
        String type,
        Settings settings,
        boolean enabled,
        Duration timeout,
        RetrySettings retry,
        ReconnectSettings reconnect,
        Optional<URI> healthCheckUrl,
        boolean logsCalls,
        boolean trusted,
        boolean shared,
        int sessions,
        boolean startsEagerly,
        ProtocolChoice protocol,
        Duration discoveryTimeout,
        Set<String> schemes,
        Set<String> extensions,
        ListLimits listLimits,
        IsolationSettings isolation,
        ToolSettings anyTool,
        Map<String, ToolSettings> tools,
        Map<String, String> ownToolNames,
        NameFilter toolFilter,
        String alias) {

    /** The default time-out of the handshake and of each attempt. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    /** The default time-out of the discovery. */
    public static final Duration DEFAULT_DISCOVERY_TIMEOUT = Duration.ofSeconds(3);

    /** The default number of sessions. */
    public static final int DEFAULT_SESSIONS = 16;

    /** The largest number of sessions. */
    public static final int MAX_SESSIONS = 64;

    /** The key that is also one of the {@code bridge} object. */
    static final String LOG_CALLS = "log-calls";

    static final String NAME_RULE = "1 to 64 letters, digits, '-' and '_', without '__' and with no '_' at the end";

    /** Transports without a child process. */
    private static final Set<String> REMOTE = Set.of("http", "unix");

    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):?(?://)?");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    public ServerSettings {
        tools = Collections.unmodifiableMap(new LinkedHashMap<>(tools));
    }

    /**
     * Reads the keys that all servers have; keys of the transport stay unread.
     *
     * @param type the name of the transport's provider
     * @throws ConfigurationException if the name breaks its rule, or with every mistake in the common keys
     */
    public static ServerSettings of(String name, String type, Settings settings) {
        return of(name, type, settings, DEFAULT_TIMEOUT);
    }

    /** Reads the keys with another default of the time-out. */
    public static ServerSettings of(String name, String type, Settings settings, Duration timeout) {
        var mistakes = new MistakeCollector();
        var read = read(name, type, settings, timeout, mistakes);
        mistakes.throwIfAny();
        return read;
    }

    /** Reads the keys and collects the mistakes; a wrong value has its default. */
    static ServerSettings read(
            String name, String type, Settings settings, Duration timeout, MistakeCollector mistakes) {
        if (!isName(name)) {
            throw ConfigurationException.of("the server name '%s' must be %s".formatted(name, NAME_RULE));
        }
        settings.allowUnknownKeys().ignore("type");
        var read = readKeys(name, type, settings, timeout, mistakes);
        mistakes.collect(() -> settings.finish(() -> read));
        return read;
    }

    private static ServerSettings readKeys(
            String name, String type, Settings settings, Duration usualTimeout, MistakeCollector mistakes) {
        var timeout = timeout(settings, usualTimeout);
        var retry = RetrySettings.from(settings);
        var isolation = IsolationSettings.from(settings);
        var anyTool = ToolSettings.asTheServer(timeout, retry, settings, ExecutionLimits.from(settings, isolation));
        var tools = ToolSettings.Section.of(settings, mistakes, anyTool, isolation);
        requireChild(settings, type);
        return new ServerSettings(
                name,
                type,
                settings,
                isEnabled(settings),
                timeout,
                retry,
                ReconnectSettings.from(settings),
                healthCheckUrl(settings),
                settings.flag(LOG_CALLS, false),
                settings.flag("trusted", false),
                settings.flag("shared", true),
                sessions(settings),
                isEager(settings),
                ProtocolChoice.from(settings, type),
                discoveryTimeout(settings),
                schemes(settings),
                extensions(settings),
                ListLimits.from(settings),
                isolation,
                anyTool,
                tools.byName(),
                tools.ownNames(),
                tools.filter(),
                alias(settings, name));
    }

    /** The name of a tool for clients, without the prefix. */
    String shownTool(String own) {
        return ownToolNames.isEmpty() ? own : tool(own).alias().orElse(own);
    }

    /** The server's own name of the tool that clients see under this name; empty if it has another alias. */
    public Optional<String> ownTool(String shown) {
        return Optional.ofNullable(ownToolNames.get(shown))
                .or(() -> Optional.of(shown).filter(own -> tool(own).alias().isEmpty()));
    }

    /** The section of the retry policy, with the keys that the server has. */
    public Settings policySection() {
        return anyTool.policySection();
    }

    /** The limits of a call that has its own process. */
    public ExecutionLimits execution() {
        return anyTool.execution();
    }

    /** The settings of a tool. */
    public ToolSettings tool(String toolName) {
        return tools.getOrDefault(toolName, anyTool);
    }

    /** Returns the section for processes with one call each; the whole section without isolation. */
    public Settings settingsOfCalls() {
        return isolation.perCall() ? ExecutionLimits.within(execution().maxMemoryMb(), settings) : settings;
    }

    /** Whether both have equal names and equal sections. */
    public boolean saysTheSameAs(ServerSettings other) {
        return name.equals(other.name)
                && type.equals(other.type)
                && timeout.equals(other.timeout)
                && settings.saysTheSameAs(other.settings);
    }

    @Override
    public String toString() {
        return "server " + name + " (" + type + ")";
    }

    static boolean isName(String name) {
        return NAME.matcher(name).matches() && !name.contains("__") && !name.endsWith("_");
    }

    private static String alias(Settings settings, String name) {
        var alias = settings.text("alias", name);
        return settings.require(isName(alias), "alias", NAME_RULE) ? alias : name;
    }

    /** Reads {@code disabled}, too, which some desktop clients write. */
    private static boolean isEnabled(Settings settings) {
        var disabled = settings.flag("disabled", false);
        return settings.flag("enabled", !disabled);
    }

    static Duration timeout(Settings settings, Duration otherwise) {
        var timeout = settings.duration("timeout", "timeoutMs", otherwise);
        return isPositive(settings, "timeout", timeout) ? timeout : otherwise;
    }

    private static Duration discoveryTimeout(Settings settings) {
        var timeout = settings.duration("discovery-timeout", DEFAULT_DISCOVERY_TIMEOUT);
        return isPositive(settings, "discovery-timeout", timeout) ? timeout : DEFAULT_DISCOVERY_TIMEOUT;
    }

    private static boolean isPositive(Settings settings, String key, Duration span) {
        return settings.require(span.compareTo(Duration.ZERO) > 0, key, "longer than zero");
    }

    private static int sessions(Settings settings) {
        var sessions = settings.integer("sessions", DEFAULT_SESSIONS);
        var isInRange = sessions >= 1 && sessions <= MAX_SESSIONS;
        return settings.require(isInRange, "sessions", "from 1 to " + MAX_SESSIONS) ? sessions : DEFAULT_SESSIONS;
    }

    private static Optional<URI> healthCheckUrl(Settings settings) {
        var text = settings.text(settings.either("health-check-url", "healthCheckUrl"));
        var uri = text.flatMap(Endpoints::parseHttp);
        settings.require(text.isEmpty() || uri.isPresent(), "health-check-url", "an http or https URL");
        return uri;
    }

    private static Set<String> schemes(Settings settings) {
        var schemes = new LinkedHashSet<String>();
        for (var text : settings.texts("schemes")) {
            var scheme = SCHEME.matcher(text);
            if (scheme.matches()) {
                schemes.add(scheme.group(1).toLowerCase(Locale.ROOT));
            } else {
                settings.reject("schemes", "URI schemes such as 'file:', and '%s' is none".formatted(text));
            }
        }
        return Collections.unmodifiableSet(schemes);
    }

    private static Set<String> extensions(Settings settings) {
        var methods = settings.texts("extensions");
        methods.stream()
                .filter(Methods::isKnown)
                .forEach(method -> settings.reject(
                        "extensions",
                        "methods that the specification does not define, and it defines '%s'".formatted(method)));
        return Set.copyOf(methods);
    }

    private static boolean isEager(Settings settings) {
        var start = settings.text("start", "lazy");
        settings.require(Set.of("lazy", "eager").contains(start), "start", "'lazy' or 'eager'");
        return start.equals("eager");
    }

    /** Rejects a sandbox for a server that is not a child process. */
    private static void requireChild(Settings settings, String type) {
        if (REMOTE.contains(type) && settings.has("sandbox")) {
            settings.reject("sandbox", "left out where the server is no process of ours, which 'command' would start");
        }
    }

    /** The key {@code protocol} of a server's section. */
    public enum ProtocolChoice {
        /** The era that the negotiation detects. */
        AUTO("auto"),
        /** A revision up to 2025-11-25, without a discovery. */
        LEGACY("legacy"),
        /** Revision 2026-07-28 or an error. */
        MODERN("2026-07-28");

        private final String text;

        ProtocolChoice(String text) {
            this.text = text;
        }

        /** The form in the configuration. */
        public String text() {
            return text;
        }

        /** Reads the key; the default is {@code auto}, except for a transport of the legacy era. */
        static ProtocolChoice from(Settings settings, String type) {
            return settings.choice("protocol", values(), ProtocolChoice::text, "'auto', 'legacy' or '2026-07-28'")
                    .orElse(type.equals("sse") ? LEGACY : AUTO);
        }
    }
}
