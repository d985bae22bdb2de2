package io.mcpbridge.cli;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.ElicitationHandler;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Nearest;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/**
 * The tools that the servers of a configuration list, queried by this process instead of a daemon. Each server is
 * queried twice, because a list may depend on capabilities of the client: without any, and with elicitation, sampling
 * and roots.
 *
 * @param tools the tools by server
 * @param failures the errors by server that could not be queried
 * @param hidden by server, the tools that the daemon hides because of their name, with the reason
 * @param differing by server, the tools whose definition depends on the capabilities; {@code tools} has the definition
 *     for clients without any
 */
record ServerToolLists(
        Map<String, List<ToolDefinition>> tools,
        Map<String, String> failures,
        Map<String, Map<String, String>> hidden,
        Map<String, List<String>> differing) {
    /** The number of servers that are queried in parallel. */
    private static final int MAX_CONCURRENT = 8;

    /** Without schema checks, so that the list has what the daemon would list. */
    private static final BridgeOptions WITHOUT_CAPABILITIES = BridgeOptions.DEFAULTS.withoutSchemaCheck();

    /** Declares all capabilities and refuses every request. */
    private static final BridgeOptions WITH_CAPABILITIES = WITHOUT_CAPABILITIES
            .withElicitationHandler(new Refusing())
            .withSamplingHandler(request -> {
                throw refusal();
            })
            .withRootsHandler(request -> {
                throw refusal();
            });

    /**
     * Queries servers, several in parallel.
     *
     * @param chosen their names; empty for all enabled ones
     * @param environment starts them; pools start no warm processes
     * @throws ConfigurationException if there is no such server, or the settings of one are wrong
     */
    static ServerToolLists of(BridgeConfiguration configuration, List<String> chosen, Environment environment)
            throws InterruptedException {
        var names = chosen.isEmpty()
                ? configuration.servers().stream()
                        .filter(ServerSettings::enabled)
                        .map(ServerSettings::name)
                        .toList()
                : chosen;
        names.forEach(name -> require(configuration, name));
        var selected = only(configuration, names);
        var listed = new ServerToolLists(synchronizedMap(), synchronizedMap(), synchronizedMap(), synchronizedMap());
        // Sequentially, because some servers cannot run twice at the same time.
        listed.query(names, Bridge.open(selected, WITHOUT_CAPABILITIES.withEnvironment(environment)));
        listed.query(
                List.copyOf(listed.tools.keySet()),
                Bridge.open(selected, WITH_CAPABILITIES.withEnvironment(environment)));
        listed.tools.replaceAll((server, tools) -> listed.visible(
                configuration.bridge().names(), configuration.server(server).orElseThrow(), tools));
        return listed;
    }

    /** The tools of a server that clients of the daemon see; adds the others to {@code hidden}. */
    private List<ToolDefinition> visible(ToolNaming names, ServerSettings server, List<ToolDefinition> listed) {
        var reasons = new TreeMap<String, String>();
        listed.forEach(tool -> names.flaw(server, tool.name()).ifPresent(why -> reasons.put(tool.name(), why)));
        hidden.put(server.name(), reasons);
        return listed.stream().filter(tool -> !reasons.containsKey(tool.name())).toList();
    }

    private static BridgeConfiguration only(BridgeConfiguration configuration, List<String> names) {
        var servers = configuration.servers().stream()
                .filter(server -> names.contains(server.name()))
                .map(ServerToolLists::withoutWarmProcesses)
                .toList();
        return new BridgeConfiguration(
                servers,
                configuration.bridge().withoutCatalog(),
                configuration.remarks(),
                configuration.secrets(),
                configuration.folder(),
                configuration.files());
    }

    private static ServerSettings withoutWarmProcesses(ServerSettings server) {
        if (!server.isolation().perCall()) {
            return server;
        }
        var settings = Settings.of(Map.of("pool", Map.of("warm", 0))).withDefaults(server.settings());
        return ServerSettings.of(server.name(), server.type(), settings, server.timeout());
    }

    private static <T> Map<String, T> synchronizedMap() {
        return Collections.synchronizedMap(new TreeMap<>());
    }

    private void query(List<String> names, Bridge bridge) throws InterruptedException {
        var threads = Executors.newFixedThreadPool(MAX_CONCURRENT);
        try (bridge) {
            threads.invokeAll(names.stream()
                    .<Callable<Boolean>>map(name -> () -> query(bridge, name))
                    .toList());
        } finally {
            threads.shutdownNow();
        }
    }

    private boolean query(Bridge bridge, String server) throws InterruptedException {
        try {
            add(server, bridge.listTools(server));
            return true;
        } catch (BridgeException unreachable) {
            tools.remove(server);
            failures.put(server, unreachable.getMessage());
            return false;
        }
    }

    /** Adds tools of one query; a tool that only one of the two queries lists counts as well. */
    private void add(String server, List<ToolDefinition> listed) {
        var all = new TreeMap<String, ToolDefinition>();
        var different = new ArrayList<String>();
        tools.getOrDefault(server, List.of()).forEach(tool -> all.put(tool.name(), tool));
        for (var tool : listed) {
            var before = all.putIfAbsent(tool.name(), tool);
            if (before != null && !before.equals(tool)) {
                different.add(tool.name());
            }
        }
        tools.put(server, List.copyOf(all.values()));
        if (!different.isEmpty()) {
            differing.put(server, List.copyOf(different));
        }
    }

    private static UnsupportedOperationException refusal() {
        return new UnsupportedOperationException("client requests are refused while tools are compared");
    }

    private static void require(BridgeConfiguration configuration, String name) {
        if (configuration.server(name).filter(ServerSettings::enabled).isEmpty()) {
            var names =
                    configuration.servers().stream().map(ServerSettings::name).toList();
            throw ConfigurationException.of("there is no enabled server '%s'; %sthere are %s"
                    .formatted(name, Nearest.question(name, names), names));
        }
    }

    /** Declares both elicitation modes. */
    private static final class Refusing implements ElicitationHandler {

        @Override
        public ElicitResult elicit(ElicitRequest request) {
            throw refusal();
        }

        @Override
        public boolean acceptsUrls() {
            return true;
        }
    }
}
