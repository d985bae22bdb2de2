package io.mcpbridge.config;

import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.engine.pipeline.RetryBudgetSettings;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Nearest;
import io.mcpbridge.spi.ProcessLimits;
import io.mcpbridge.spi.SandboxSettings;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.StageContext;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Reads the configured servers: first those of the file, then those of the preset, then those of the environment. For
 * one thread.
 */
final class ServerSections {
    /** The key of the {@code bridge} object that names a preset. */
    static final String PRESET = "servers";

    private static final Map<String, String> DEFAULTS = Map.of(
            "github", "http://localhost:3001",
            "deploy", "http://localhost:3002",
            "observability", "http://localhost:3003");

    private static final Duration DEPLOY_TIMEOUT = Duration.ofSeconds(60);

    private static final String SANDBOX = "sandbox";
    private static final String UNKNOWN = "unknown";
    private static final String ENV_FILE = "envFile";
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    /** The keys that imply the type of a server. */
    private static final Map<String, String> TELLING =
            Map.of("command", "stdio", "url", "http", "path", "unix", "socketPath", "unix");

    private final MistakeCollector mistakes;
    private final Duration timeout;
    private final Settings defaults;
    private final Settings sandbox;
    private final Map<String, Optional<ServerSettings>> servers = new LinkedHashMap<>();
    private final List<String> warnings = new ArrayList<>();

    /** The servers by their aliases. */
    private final Map<String, String> aliases = new HashMap<>();

    /**
     * Starts without servers, with the defaults of their sections from the {@code bridge} object.
     *
     * @param timeout for servers whose sections name none
     */
    ServerSections(Settings bridge, Duration timeout, MistakeCollector mistakes) {
        this.mistakes = mistakes;
        this.defaults = mistakes.collect(() -> StageDefaults.of(bridge)).orElseGet(() -> Settings.of(Map.of()));
        this.sandbox = sandbox(bridge, mistakes);
        this.timeout = timeout;
    }

    /** The section {@code sandbox} under its key; empty if it is wrong, so that the mistake is reported once. */
    private static Settings sandbox(Settings bridge, MistakeCollector mistakes) {
        return mistakes.collect(() -> SandboxSettings.from(bridge.section(SANDBOX)))
                .map(unused -> bridge.only(Set.of(SANDBOX)))
                .orElseGet(() -> Settings.of(Map.of()));
    }

    /** The servers that could be read. */
    List<ServerSettings> servers() {
        return servers.values().stream().flatMap(Optional::stream).toList();
    }

    List<String> warnings() {
        return warnings;
    }

    /** Reads {@code mcpServers}, or {@code servers} of an editor. */
    void readFile(Settings section) {
        for (var key : section.keys()) {
            section.ignore(key);
            var name = BLANKS.matcher(key.strip()).replaceAll("-");
            if (!ServerSettings.isName(name)) {
                section.rejectName(key, "named with " + ServerSettings.NAME_RULE);
            } else if (servers.containsKey(name)) {
                section.rejectName(key, "given another name, since there are two servers '%s'".formatted(name));
            } else {
                readServer(section, key, name);
            }
        }
        mistakes.collect(() -> section.finish(() -> section));
    }

    /** Adds the preset, if the {@code bridge} object asks for it, and the endpoints of the environment. */
    void addOthers(Settings bridge, Map<String, String> endpoints) {
        var others = new TreeMap<String, String>();
        bridge.text(PRESET).ifPresent(preset -> {
            if (preset.equals("defaults")) {
                others.putAll(DEFAULTS);
            } else {
                bridge.reject(PRESET, "'defaults'; servers of your own stand in 'mcpServers'");
            }
        });
        others.putAll(endpoints);
        others.forEach((name, endpoint) -> addEndpoint(name, endpoint, endpoints.containsKey(name)));
    }

    private void readServer(Settings section, String key, String name) {
        var written = section.section(key)
                .renaming("httpUrl", "url")
                .renaming("serverUrl", "url")
                .renaming("endpoint", "url");
        warnings.addAll(remarks(key, name, written));
        var type = type(section, key, written);
        var server = written.withDefaults(defaultsOf(type, written));
        var read = ServerSettings.read(name, type, server, timeout, mistakes);
        servers.put(name, Optional.of(read).filter(known -> !type.equals(UNKNOWN)));
        var other = aliases.putIfAbsent(read.alias(), name);
        if (other != null) {
            var rule = "given another 'alias', since clients would see server '%s' as '%s' too";
            section.rejectName(key, rule.formatted(other, read.alias()));
        }
    }

    /** Explains what differs from a desktop client. */
    private static List<String> remarks(String key, String name, Settings written) {
        var remarks = new ArrayList<String>();
        if (!key.equals(name)) {
            remarks.add("the server '%s' is named '%s' here, since a name has no blanks".formatted(key, name));
        }
        if (written.has(ENV_FILE)) {
            written.ignore(ENV_FILE);
            remarks.add("'%s' of server '%s' is not read; put its variables into 'env', as in \"NAME\": \"${NAME}\""
                    .formatted(ENV_FILE, name));
        }
        return remarks;
    }

    /** Only child processes have a sandbox. */
    private Settings defaultsOf(String type, Settings written) {
        return type.equals("stdio") ? defaults.withDefaults(ProcessLimits.usualBeside(written, sandbox)) : defaults;
    }

    /**
     * Returns the configured type, or the one that the keys imply; otherwise reports a mistake and returns {@code
     * unknown}.
     */
    private static String type(Settings section, String name, Settings server) {
        var written = server.text("type");
        if (written.isPresent()) {
            return known(written.get());
        }
        var telling = new TreeMap<>(TELLING);
        telling.keySet().retainAll(server.keys());
        var types = new TreeSet<>(telling.values());
        if (types.size() == 1) {
            return server.text("url").filter(url -> url.startsWith("unix:")).isPresent() ? "unix" : types.first();
        }
        section.rejectName(
                name,
                telling.isEmpty()
                        ? "given 'command' (stdio), 'url' (http) or 'path' (unix), or its 'type'" + mistyped(server)
                        : "given its 'type', since it has %s".formatted(String.join(" and ", telling.keySet())));
        return UNKNOWN;
    }

    private static String mistyped(Settings server) {
        return server.keys().stream()
                .flatMap(key -> Nearest.to(key, TELLING.keySet())
                        .map(near -> "; it has '%s': did you mean '%s'?".formatted(key, near))
                        .stream())
                .findFirst()
                .orElse("");
    }

    /** Returns the transport's name for a type; some desktop clients use other names. */
    private static String known(String type) {
        return type.equals("streamable-http") || type.equals("streamableHttp") ? "http" : type;
    }

    private void addEndpoint(String name, String endpoint, boolean fromEnvironment) {
        if (servers.containsKey(name) || aliases.containsKey(name)) {
            var words = "the server '%s' stands in 'mcpServers'; what %s says of it is ignored";
            warnings.add(words.formatted(name, fromEnvironment ? "the environment" : "'bridge.servers'"));
            return;
        }
        var span = name.equals("deploy") ? DEPLOY_TIMEOUT : timeout;
        servers.put(name, mistakes.collect(() -> {
            var uri = endpoint(name, endpoint);
            var isUnix = "unix".equals(uri.getScheme());
            var values = isUnix ? Map.of("path", uri.getPath()) : Map.of("url", endpoint);
            return ServerSettings.of(
                    name, isUnix ? "unix" : "http", Settings.of(values).withDefaults(defaults), span);
        }));
    }

    private static URI endpoint(String name, String endpoint) {
        return Endpoints.parse(endpoint)
                .orElseThrow(() -> ConfigurationException.of(
                        "the endpoint of server '%s' is %s but must be an http, https or unix URL, such as http://localhost:3001"
                                .formatted(name, MistakeCollector.shown(endpoint))));
    }

    /** The keys of {@code bridge} that serve as defaults for the sections of all servers. */
    private static final class StageDefaults {
        /** The retry budget, which belongs to the engine and not to a stage. */
        private static final String RETRY_BUDGET = "retry-budget";

        private static final String OFF = "none";

        private StageDefaults() {}

        /**
         * Reads them from the {@code bridge} object.
         *
         * @throws ConfigurationException with every mistake in them
         */
        static Settings of(Settings bridge) {
            var providers = Providers.of(CallStageProvider.class);
            Set<String> keys = new LinkedHashSet<>(providers.names());
            keys.add(RETRY_BUDGET);
            keys.add(ServerSettings.LOG_CALLS);
            var mistakes = new MistakeCollector();
            var checked = bridge.only(keys);
            // The stages are made only to read their sections. A clock and a launcher that no stage uses start no
            // thread.
            try (var timekeeper = new SystemTimekeeper();
                    var launcher = new PlainProcessLauncher()) {
                var context = StageContext.of("", Environment.of(timekeeper, Runnable::run, launcher));
                for (var provider : providers.all()) {
                    if (isSection(checked, provider.name())) {
                        var section = context.withSettings(checked.section(provider.name()));
                        mistakes.check(() -> provider.create(section));
                    }
                }
            }
            if (isSection(checked, RETRY_BUDGET)) {
                mistakes.collect(() -> RetryBudgetSettings.from(checked.section(RETRY_BUDGET)));
            }
            checked.flag(ServerSettings.LOG_CALLS, false);
            mistakes.collect(() -> checked.finish(() -> checked));
            mistakes.throwIfAny();
            return bridge.only(keys);
        }

        private static boolean isSection(Settings defaults, String key) {
            return defaults.has(key) && !defaults.says(key, OFF);
        }
    }
}
