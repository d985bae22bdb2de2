package io.mcpbridge.gateway;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.process.SandboxChoice;
import io.mcpbridge.routing.Plugins;
import io.mcpbridge.spi.Confinement;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.SandboxLevel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How firmly this machine would hold the children of a configuration; found out by trying, without starting any of them.
 *
 * @param condition of servers of which nothing else is said
 * @param servers the level of each enabled server that is a child, by name
 * @param missing what servers would lack, each in a sentence: a level, or a path that their limits name
 */
public record SandboxReport(SandboxCondition condition, Map<String, SandboxLevel> servers, List<String> missing) {

    public SandboxReport {
        servers = Map.copyOf(servers);
        missing = List.copyOf(missing);
    }

    /**
     * Tries what the configuration needs.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the level that {@code bridge.sandbox} requires is not to be had
     */
    public static SandboxReport of(BridgeConfiguration configuration) {
        var choice = SandboxChoice.of(configuration.bridge().plugIns().sandbox());
        try (var standard = StandardEnvironment.open(choice.open(PlainProcessLauncher.apart()))) {
            return of(configuration.servers(), standard.environment());
        }
    }

    private static SandboxReport of(List<ServerSettings> servers, Environment environment) {
        var plugins = Plugins.found();
        var launcher = environment.launcher();
        var levels = new LinkedHashMap<String, SandboxLevel>();
        var missing = new ArrayList<String>();
        for (var server : servers) {
            if (server.enabled()) {
                var provider = plugins.transports().named(server.type());
                provider.sandbox(server.settingsOfCalls(), environment).ifPresent(level -> {
                    levels.put(server.name(), level);
                    launcher.missing(level)
                            .ifPresent(why ->
                                    missing.add("server '%s' is to be held at level %s, which is not to be had here: %s"
                                            .formatted(server.name(), level, why)));
                    missing.addAll(missingPaths(server));
                });
            }
        }
        return new SandboxReport(SandboxCondition.of(launcher), levels, missing);
    }

    private static List<String> missingPaths(ServerSettings server) {
        var limits = Confinement.from(server.settings().section("sandbox")).limits();
        return Stream.concat(
                        missing("readable", limits.readable(), server), missing("writable", limits.writable(), server))
                .toList();
    }

    private static Stream<String> missing(String key, List<Path> paths, ServerSettings server) {
        return paths.stream()
                .filter(path -> !Files.exists(path))
                .map(path -> "server '%s' is to have '%s' in '%s', which is not there: make it, or it will not start"
                        .formatted(server.name(), path, key));
    }
}
