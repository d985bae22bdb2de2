package io.mcpbridge.config;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Limits;
import io.mcpbridge.spi.Refusals;
import io.mcpbridge.spi.Settings;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads the servers: those of the file, then those of the preset, then those of the environment. For one thread. */
final class ServerSections {
    /** The key of the {@code bridge} object that names a preset. */
    static final String PRESET = "servers";

    private static final Map<String, String> DEFAULTS = Map.of(
            "github", "http://localhost:3001",
            "deploy", "http://localhost:3002",
            "observability", "http://localhost:3003");

    private static final Duration DEPLOY_TIMEOUT = Duration.ofSeconds(60);

    private static final String UNKNOWN = "unknown";

    /** The keys that tell the type of a server which does not name it. */
    private static final Map<String, String> TELLING =
            Map.of("command", "stdio", "url", "http", "path", "unix", "socketPath", "unix");

    private final Mistakes mistakes;
    private final Duration timeout;
    private final Settings defaults;
    private final Settings sandbox;
    private final Map<String, Optional<ServerSettings>> servers = new LinkedHashMap<>();
    private final List<String> warnings = new ArrayList<>();

    /**
     * Begins without servers.
     *
     * @param defaults what stands in every section that does not say otherwise
     * @param sandbox the section {@code sandbox} under its key, for servers that are children
     */
    ServerSections(Mistakes mistakes, Duration timeout, Settings defaults, Settings sandbox) {
        this.mistakes = mistakes;
        this.defaults = defaults;
        this.sandbox = sandbox;
        this.timeout = timeout;
    }

    /** The servers that could be read. */
    List<ServerSettings> servers() {
        return servers.values().stream().flatMap(Optional::stream).toList();
    }

    List<String> warnings() {
        return warnings;
    }

    /** Reads {@code mcpServers}. */
    void readFile(Settings section) {
        for (var name : section.keys()) {
            section.ignore(name);
            if (ServerSettings.isName(name)) {
                readServer(section, name);
            } else {
                section.rejectName(name, "named with " + ServerSettings.NAME_RULE);
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

    private void readServer(Settings section, String name) {
        var written = section.section(name);
        var type = type(section, name, written);
        var server = written.withDefaults(defaultsOf(type, written));
        var read = ServerSettings.read(name, type, server, timeout, mistakes);
        servers.put(name, Optional.of(read).filter(known -> !type.equals(UNKNOWN)));
    }

    /** Only children can be held. */
    private Settings defaultsOf(String type, Settings written) {
        return type.equals("stdio") ? defaults.withDefaults(Limits.usualBeside(written, sandbox)) : defaults;
    }

    /** The type as it is written, else as the section's keys tell; {@code unknown}, and a mistake, if they do not. */
    private static String type(Settings section, String name, Settings server) {
        var written = server.text("type");
        if (written.isPresent()) {
            return known(written.get());
        }
        var telling = new TreeMap<>(TELLING);
        telling.keySet().retainAll(server.keys());
        var types = new TreeSet<>(telling.values());
        if (types.size() == 1) {
            return types.first();
        }
        section.rejectName(
                name,
                telling.isEmpty()
                        ? "given 'command' (stdio), 'url' (http) or 'path' (unix), or its 'type'"
                        : "given its 'type', since it has %s".formatted(String.join(" and ", telling.keySet())));
        return UNKNOWN;
    }

    /** The name of the transport; some desktop clients write another one. */
    private static String known(String type) {
        return type.equals("streamable-http") || type.equals("streamableHttp") ? "http" : type;
    }

    private void addEndpoint(String name, String endpoint, boolean fromEnvironment) {
        if (servers.containsKey(name)) {
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
                                .formatted(name, Refusals.shown(endpoint))));
    }
}
