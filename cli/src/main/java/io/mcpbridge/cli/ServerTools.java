package io.mcpbridge.cli;

import io.mcpbridge.Bridge;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Nearest;
import io.mcpbridge.tool.ToolDefinition;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/**
 * What servers of a configuration list, asked by this process and not by a daemon.
 *
 * @param tools by server
 * @param failures why a server could not be asked
 */
record ServerTools(Map<String, List<ToolDefinition>> tools, Map<String, String> failures) {
    /** So many servers are started at a time. */
    private static final int AT_A_TIME = 8;

    /**
     * Asks servers, several at a time.
     *
     * @param chosen their names; none for all that are enabled
     * @throws ConfigurationException if there is no such server, or the settings of one are wrong
     */
    static ServerTools of(BridgeConfiguration configuration, List<String> chosen) throws InterruptedException {
        var names = chosen.isEmpty()
                ? configuration.servers().stream()
                        .filter(ServerSettings::enabled)
                        .map(ServerSettings::name)
                        .toList()
                : chosen;
        names.forEach(name -> require(configuration, name));
        var asked = new ServerTools(
                Collections.synchronizedMap(new TreeMap<>()), Collections.synchronizedMap(new TreeMap<>()));
        var threads = Executors.newFixedThreadPool(AT_A_TIME);
        try (var bridge = Bridge.open(configuration)) {
            threads.invokeAll(names.stream()
                    .<Callable<Boolean>>map(name -> () -> asked.ask(bridge, name))
                    .toList());
        } finally {
            threads.shutdownNow();
        }
        return asked;
    }

    private boolean ask(Bridge bridge, String server) throws InterruptedException {
        try {
            tools.put(server, bridge.listTools(server));
            return true;
        } catch (BridgeException unreachable) {
            failures.put(server, unreachable.getMessage());
            return false;
        }
    }

    private static void require(BridgeConfiguration configuration, String name) {
        if (configuration.server(name).filter(ServerSettings::enabled).isEmpty()) {
            var names =
                    configuration.servers().stream().map(ServerSettings::name).toList();
            throw ConfigurationException.of("there is no enabled server '%s'; %sthere are %s"
                    .formatted(name, Nearest.question(name, names), names));
        }
    }
}
