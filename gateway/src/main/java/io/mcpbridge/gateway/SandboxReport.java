package io.mcpbridge.gateway;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.process.SandboxChoice;
import io.mcpbridge.routing.Plugins;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.SandboxLevel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How firmly this machine would hold the children of a configuration; found out by trying, without starting any of them.
 *
 * @param condition of servers of which nothing else is said
 * @param servers the level of each enabled server that is a child, by name
 * @param missing the servers that would be left out, each in a sentence
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
                provider.sandbox(server.settings(), environment).ifPresent(level -> {
                    levels.put(server.name(), level);
                    launcher.missing(level)
                            .ifPresent(why ->
                                    missing.add("server '%s' is to be held at level %s, which is not to be had here: %s"
                                            .formatted(server.name(), level, why)));
                });
            }
        }
        return new SandboxReport(SandboxCondition.of(launcher), levels, missing);
    }
}
