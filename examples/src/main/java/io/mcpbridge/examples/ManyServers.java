package io.mcpbridge.examples;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.ElicitationHandler.ElicitResult;
import io.mcpbridge.RootsHandler.Root;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.tool.Prompt;
import io.mcpbridge.tool.ToolResult;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Calls tools of the servers in a configuration file. */
public final class ManyServers {

    private ManyServers() {}

    /** Makes one call, which connects the server. */
    public static String echo(Path file, String message) throws InterruptedException {
        try (var bridge = Bridge.open(file)) {
            ToolResult result = bridge.callTool("demo", "echo", Map.of("message", message));
            return result.text();
        }
    }

    /** Names the servers in code. */
    public static String withoutFile(String program, String argument, URI address) throws InterruptedException {
        try (var bridge = Bridge.builder()
                .stdio("demo", program, argument)
                .http("github", address, Map.of("timeout", "10s"))
                .open()) {
            return bridge.callTool("demo", "echo", Map.of("message", "hello")).text();
        }
    }

    /** Makes parallel calls and receives events. */
    public static List<String> inParallel(Bridge bridge, List<String> messages) {
        var subscription = bridge.events().subscribe(ManyServers::log);
        try {
            List<CompletableFuture<ToolResult>> calls = messages.stream()
                    .map(message -> bridge.callToolAsync("demo", "echo", Map.of("message", message)))
                    .toList();
            return calls.stream().map(call -> call.join().text()).toList();
        } finally {
            subscription.close();
        }
    }

    /** Lists the prompts of a server, which may ask the user for input. */
    public static List<Prompt> promptsOf(String server, BridgeConfiguration configuration) throws InterruptedException {
        var options = BridgeOptions.DEFAULTS.withElicitationHandler(request -> ElicitResult.decline());
        try (var bridge = Bridge.open(configuration, options)) {
            return bridge.server(server).listPrompts();
        }
    }

    /** Calls a tool of a server that asks for its roots, the folders that it may work on. */
    public static String callWithRoots(Path file, Path folder) throws InterruptedException {
        var options = BridgeOptions.DEFAULTS.withRootsHandler(request -> List.of(Root.of(folder)));
        try (var bridge = Bridge.open(file, options)) {
            return bridge.callTool("demo", "echo", Map.of("message", "hello")).text();
        }
    }

    private static void log(BridgeEvent event) {
        System.getLogger("example").log(System.Logger.Level.INFO, event.topic() + " of " + event.server());
    }
}
