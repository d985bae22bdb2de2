package io.mcpbridge.gateway;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.engine.Plugins;
import io.mcpbridge.engine.SandboxChoice;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.SandboxSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The sandbox levels of this machine for the servers of a configuration. It probes the levels and starts no server.
 *
 * @param status the default level
 * @param servers the level of each enabled server that is a child, by name
 * @param missing why servers cannot start, a sentence each: an unavailable level, a missing path, or a variable that
 *     cannot be hidden from the sandbox launcher
 * @param raised the servers with a higher level than configured, a sentence each
 */
public record SandboxReport(
        DefaultSandboxLevel status, Map<String, SandboxLevel> servers, List<String> missing, List<String> raised) {
    private static final String SECTION = "sandbox";

    public SandboxReport {
        servers = Map.copyOf(servers);
        missing = List.copyOf(missing);
        raised = List.copyOf(raised);
    }

    /**
     * Probes the levels that the configuration needs.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the level that {@code bridge.sandbox} requires is
     *     unavailable
     */
    public static SandboxReport of(BridgeConfiguration configuration) {
        var choice = SandboxChoice.of(configuration.bridge().plugIns().sandbox());
        try (var standard = StandardEnvironment.open(choice.open(PlainProcessLauncher.apart()))) {
            return of(configuration.servers(), standard.environment());
        }
    }

    private static SandboxReport of(List<ServerSettings> servers, Environment environment) {
        var plugins = Plugins.found();
        var levels = new LinkedHashMap<String, SandboxLevel>();
        var missing = new ArrayList<String>();
        var raised = new ArrayList<String>();
        for (var server : servers) {
            if (!server.enabled()) {
                continue;
            }
            try {
                plugins.sandbox(server, environment).ifPresent(level -> {
                    levels.put(server.name(), level);
                    missing.addAll(missingPaths(server));
                    raised(server, level).ifPresent(raised::add);
                    Plugins.requireAvailable(level, server, environment);
                });
            } catch (ConfigurationException refused) {
                refused.problems()
                        .forEach(why -> missing.add("server '%s' is left out: %s".formatted(server.name(), why)));
            }
        }
        return new SandboxReport(DefaultSandboxLevel.of(environment.launcher()), levels, missing, raised);
    }

    private static Optional<String> raised(ServerSettings server, SandboxLevel level) {
        var confinement = SandboxSettings.from(server.settingsOfCalls().section(SECTION));
        return confinement
                .level()
                .filter(configured -> !configured.covers(level))
                .map(configured -> "server '%s' has sandbox level %s instead of %s, because its limits need it: %s"
                        .formatted(server.name(), level, configured, confinement.limits()));
    }

    private static List<String> missingPaths(ServerSettings server) {
        var limits = SandboxSettings.from(server.settings().section(SECTION)).limits();
        return Stream.concat(
                        missing("readable", limits.readable(), server), missing("writable", limits.writable(), server))
                .toList();
    }

    private static Stream<String> missing(String key, List<Path> paths, ServerSettings server) {
        return paths.stream()
                .filter(path -> !Files.exists(path))
                .map(path ->
                        "server '%s' lists '%s' in '%s', which does not exist: create it, or the server cannot start"
                                .formatted(server.name(), path, key));
    }
}
