package io.mcpbridge.examples;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.CallOptions;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.tool.ToolResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Calls tools of the servers in a configuration file. */
public final class ManyServers {

    private ManyServers() {}

    /** One call; the server is connected by it. */
    public static String echo(Path file, String message) throws InterruptedException {
        try (var bridge = Bridge.open(file)) {
            ToolResult result = bridge.callTool("demo", "echo", Map.of("message", message));
            return result.text();
        }
    }

    /** Calls at the same time, and what happens meanwhile. */
    public static List<String> inParallel(Bridge bridge, List<String> messages) {
        var watching = bridge.events().subscribe(ManyServers::tell);
        try {
            List<CompletableFuture<ToolResult>> calls = messages.stream()
                    .map(message ->
                            bridge.callToolAsync("demo", "echo", Map.of("message", message), CallOptions.DEFAULTS))
                    .toList();
            return calls.stream().map(call -> call.join().text()).toList();
        } finally {
            watching.close();
        }
    }

    /** The servers may ask the user something, and have more than tools. */
    public static List<String> promptsOf(String server, BridgeConfiguration configuration) throws InterruptedException {
        var options = BridgeOptions.DEFAULTS.withElicitationHandler(question -> "{\"action\":\"decline\"}");
        try (var bridge = Bridge.open(configuration, options)) {
            return bridge.server(server).listPrompts();
        }
    }

    /** The servers of a file, one of which may ask which folders it may work on. */
    public static String callWithRoots(Path file, String folder) throws InterruptedException {
        var roots = "{\"roots\":[{\"uri\":\"%s\"}]}".formatted(folder);
        var options = BridgeOptions.DEFAULTS.withRootsHandler(question -> roots);
        try (var bridge = Bridge.open(file, options)) {
            return bridge.callTool("demo", "echo", Map.of("message", folder)).text();
        }
    }

    private static void tell(BridgeEvent event) {
        System.getLogger("example").log(System.Logger.Level.INFO, event.topic() + " of " + event.server());
    }
}
