package io.mcpbridge.cli;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.Question;
import io.mcpbridge.QuestionHandler;
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
 * What servers of a configuration list, asked by this process and not by a daemon: for clients that can be asked nothing,
 * and what they list beside that for clients that can be asked everything.
 *
 * @param tools by server
 * @param failures why a server could not be asked
 * @param hidden by server the tools whose names keep clients of the daemon from seeing them, and why
 * @param differing by server the tools that it defines otherwise for clients that can be asked something; among {@code
 *     tools} is the definition for those that cannot
 */
record ServerTools(
        Map<String, List<ToolDefinition>> tools,
        Map<String, String> failures,
        Map<String, Map<String, String>> hidden,
        Map<String, List<String>> differing) {
    /** So many servers are started at a time. */
    private static final int AT_A_TIME = 8;

    /** What the daemon would list: it compares with schemas only where it is configured. */
    private static final BridgeOptions UNABLE = BridgeOptions.DEFAULTS.withoutSchemaCheck();

    /** Declares that it can be asked everything, and answers nothing. */
    private static final BridgeOptions ABLE = UNABLE.withElicitationHandler(new Refusing())
            .withSamplingHandler(ServerTools::refuse)
            .withRootsHandler(ServerTools::refuse);

    /**
     * Asks servers, several at a time.
     *
     * @param chosen their names; none for all that are enabled
     * @param environment starts them; none is started for calls that might come
     * @throws ConfigurationException if there is no such server, or the settings of one are wrong
     */
    static ServerTools of(BridgeConfiguration configuration, List<String> chosen, Environment environment)
            throws InterruptedException {
        var names = chosen.isEmpty()
                ? configuration.servers().stream()
                        .filter(ServerSettings::enabled)
                        .map(ServerSettings::name)
                        .toList()
                : chosen;
        names.forEach(name -> require(configuration, name));
        var askedOnly = only(configuration, names);
        var asked = new ServerTools(synchronizedMap(), synchronizedMap(), synchronizedMap(), synchronizedMap());
        // One after the other, since a server may not bear to run twice.
        asked.ask(names, Bridge.open(askedOnly, UNABLE.withEnvironment(environment)));
        asked.ask(List.copyOf(asked.tools.keySet()), Bridge.open(askedOnly, ABLE.withEnvironment(environment)));
        asked.tools.replaceAll(
                (server, listed) -> asked.seen(configuration.bridge().names(), server, listed));
        return asked;
    }

    /** Those of a server that clients of the daemon see; keeps why they do not see the others. */
    private List<ToolDefinition> seen(ToolNaming names, String server, List<ToolDefinition> listed) {
        var reasons = new TreeMap<String, String>();
        listed.forEach(tool -> names.flaw(server, tool.name()).ifPresent(why -> reasons.put(tool.name(), why)));
        hidden.put(server, reasons);
        return listed.stream().filter(tool -> !reasons.containsKey(tool.name())).toList();
    }

    private static BridgeConfiguration only(BridgeConfiguration configuration, List<String> names) {
        var servers = configuration.servers().stream()
                .filter(server -> names.contains(server.name()))
                .map(ServerTools::withoutWarmProcesses)
                .toList();
        return new BridgeConfiguration(
                servers,
                configuration.bridge(),
                configuration.remarks(),
                configuration.secrets(),
                configuration.folder());
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

    private void ask(List<String> names, Bridge bridge) throws InterruptedException {
        var threads = Executors.newFixedThreadPool(AT_A_TIME);
        try (bridge) {
            threads.invokeAll(names.stream()
                    .<Callable<Boolean>>map(name -> () -> ask(bridge, name))
                    .toList());
        } finally {
            threads.shutdownNow();
        }
    }

    private boolean ask(Bridge bridge, String server) throws InterruptedException {
        try {
            add(server, bridge.listTools(server));
            return true;
        } catch (BridgeException unreachable) {
            tools.remove(server);
            failures.put(server, unreachable.getMessage());
            return false;
        }
    }

    /** What is listed only to one kind of client counts as well. */
    private void add(String server, List<ToolDefinition> listed) {
        var all = new TreeMap<String, ToolDefinition>();
        var otherwise = new ArrayList<String>();
        tools.getOrDefault(server, List.of()).forEach(tool -> all.put(tool.name(), tool));
        for (var tool : listed) {
            var before = all.putIfAbsent(tool.name(), tool);
            if (before != null && !before.equals(tool)) {
                otherwise.add(tool.name());
            }
        }
        tools.put(server, List.copyOf(all.values()));
        if (!otherwise.isEmpty()) {
            differing.put(server, List.copyOf(otherwise));
        }
    }

    private static String refuse(Question question) {
        throw new UnsupportedOperationException("nobody is asked while tools are compared");
    }

    private static void require(BridgeConfiguration configuration, String name) {
        if (configuration.server(name).filter(ServerSettings::enabled).isEmpty()) {
            var names =
                    configuration.servers().stream().map(ServerSettings::name).toList();
            throw ConfigurationException.of("there is no enabled server '%s'; %sthere are %s"
                    .formatted(name, Nearest.question(name, names), names));
        }
    }

    /** Can be asked in every way that there is. */
    private static final class Refusing implements QuestionHandler {

        @Override
        public String answer(Question question) {
            return refuse(question);
        }

        @Override
        public boolean answersAddresses() {
            return true;
        }
    }
}
