package io.mcpbridge.config;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What every kind of server can be told; the rest of its section is for its transport. Immutable, but for the
 * {@link #settings()}, which the transport's provider reads.
 */
public final class ServerSettings {

    /** How long the handshake and each attempt may take unless something else is said. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    /** How long a server may take to say its era unless something else is said. */
    public static final Duration DEFAULT_PROBE_TIMEOUT = Duration.ofSeconds(3);

    /** How many sessions it may have unless something else is said. */
    public static final int DEFAULT_SESSIONS = 16;

    /** How many sessions one server may have, whoever uses them. */
    public static final int MAX_SESSIONS = 64;

    static final String NAME_RULE = "1 to 64 letters, digits, '-' and '_', without '__' and with no '_' at the end";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private final String name;
    private final String type;
    private final Settings settings;
    private final boolean enabled;
    private final Duration timeout;
    private final RetrySettings retry;
    private final ReconnectSettings reconnect;
    private final @Nullable URI healthCheckUrl;
    private final boolean trusted;
    private final boolean shared;
    private final int sessions;
    private final boolean eager;
    private final ProtocolChoice protocol;
    private final Duration probeTimeout;
    private final Set<String> schemes;
    private final ListLimits listLimits;
    private final IsolationSettings isolation;
    private final Map<String, ToolSettings> tools;
    private final ToolSettings anyTool;
    private final NameFilter toolFilter;

    private ServerSettings(String name, String type, Settings settings, Duration timeout, Mistakes mistakes) {
        this.name = name;
        this.type = type;
        this.settings = settings;
        this.enabled = ServerKeys.isEnabled(settings);
        this.timeout = ServerKeys.timeout(settings, timeout);
        this.retry = RetrySettings.from(settings);
        this.reconnect = ReconnectSettings.from(settings);
        this.healthCheckUrl = ServerKeys.healthCheckUrl(settings).orElse(null);
        this.trusted = settings.flag("trusted", false);
        this.shared = settings.flag("shared", true);
        this.sessions = ServerKeys.sessions(settings);
        this.eager = ServerKeys.isEager(settings);
        this.protocol = ProtocolChoice.from(settings, type);
        this.probeTimeout = ServerKeys.probeTimeout(settings);
        this.schemes = ServerKeys.schemes(settings);
        this.listLimits = ListLimits.from(settings);
        this.isolation = IsolationSettings.from(settings);
        this.anyTool = ToolSettings.asTheServer(this.timeout, retry, ExecutionLimits.from(settings, isolation));
        this.tools = ToolSettings.read(settings, mistakes, anyTool, isolation);
        this.toolFilter = ServerKeys.toolFilter(settings, mistakes);
        ServerKeys.requireChild(settings, type);
    }

    /**
     * Reads what is common to all servers; keys of the transport stay unread.
     *
     * @param type the name of the transport's provider
     * @throws ConfigurationException if the name breaks its rule, or with every mistake in the common keys
     */
    public static ServerSettings of(String name, String type, Settings settings) {
        return of(name, type, settings, DEFAULT_TIMEOUT);
    }

    /** The same with another time-out for a server whose section names none. */
    public static ServerSettings of(String name, String type, Settings settings, Duration timeout) {
        var mistakes = new Mistakes();
        var read = read(name, type, settings, timeout, mistakes);
        mistakes.throwIfAny();
        return read;
    }

    /** The same, where the mistakes are collected; what is wrong has its default, and the rest is as it is written. */
    static ServerSettings read(String name, String type, Settings settings, Duration timeout, Mistakes mistakes) {
        if (!isName(name)) {
            throw ConfigurationException.of("the server name '%s' must be %s".formatted(name, NAME_RULE));
        }
        settings.allowUnknownKeys().ignore("type");
        var read = new ServerSettings(name, type, settings, timeout, mistakes);
        mistakes.collect(() -> settings.finish(() -> read));
        return read;
    }

    /** The name in the configuration, and the prefix of the names of its tools. */
    public String name() {
        return name;
    }

    /** The name of the transport's provider, such as {@code stdio}, {@code http} or {@code unix}. */
    public String type() {
        return type;
    }

    public boolean enabled() {
        return enabled;
    }

    /** How long the handshake and each attempt may take. */
    public Duration timeout() {
        return timeout;
    }

    public RetrySettings retry() {
        return retry;
    }

    /** How patiently the server is connected again once it was lost. */
    public ReconnectSettings reconnect() {
        return reconnect;
    }

    /** Where the server's health is asked over HTTP, where it has such a place. */
    public Optional<URI> healthCheckUrl() {
        return Optional.ofNullable(healthCheckUrl);
    }

    /** Whether what the server says about its tools is believed. */
    public boolean trusted() {
        return trusted;
    }

    /** Whether all principals share its sessions. */
    public boolean shared() {
        return shared;
    }

    /** How many sessions the callers of one principal may have of it, or all callers where it is shared. */
    public int sessions() {
        return sessions;
    }

    /** Whether it is connected at the start rather than by its first call. */
    public boolean startsEagerly() {
        return eager;
    }

    /** In which era the server is spoken with. */
    public ProtocolChoice protocol() {
        return protocol;
    }

    /** How long a server on a byte stream may be silent about its era before it is taken for a legacy one. */
    public Duration probeTimeout() {
        return probeTimeout;
    }

    /** The schemes of the URIs that it answers for beside what it lists, in lower case and without a colon. */
    public Set<String> schemes() {
        return schemes;
    }

    /** How much of each of its lists is taken. */
    public ListLimits listLimits() {
        return listLimits;
    }

    /** Whether each call of a tool has a process of its own. */
    public IsolationSettings isolation() {
        return isolation;
    }

    /** How long a call may run, and how much memory it may take, in a process of its own. */
    public ExecutionLimits execution() {
        return anyTool.execution();
    }

    /** The tools of which the operator says something of their own, by name. */
    public Map<String, ToolSettings> tools() {
        return tools;
    }

    /** Which tools there may be; the others are as if the server did not have them. */
    public NameFilter toolFilter() {
        return toolFilter;
    }

    /** What holds for a tool. */
    public ToolSettings tool(String toolName) {
        return tools.getOrDefault(toolName, anyTool);
    }

    /** The whole section, for the transport's provider; unknown keys in it do not fail. */
    public Settings settings() {
        return settings;
    }

    /** The same where a process has one call of a tool, if there are such processes. */
    public Settings settingsOfCalls() {
        return isolation.perCall() ? ExecutionLimits.within(execution().maxMemoryMb(), settings) : settings;
    }

    /** Whether the other was read from a section that says the same under the same name. */
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
}
