package io.mcpbridge.peers;

import io.mcpbridge.server.ToolConfig;
import io.mcpbridge.server.ToolServer;
import io.mcpbridge.server.ToolServerOptions;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.tool.Json;
import java.util.Map;

/** A program that serves tools of its own over its standard streams, and prints as programs do. */
public final class ServedProgram {
    private static final Json FORM =
            Json.parse("{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}");

    private ServedProgram() {}

    /** What {@code add} takes. */
    record Numbers(int a, int b) {}

    /** Serves until the client has left. */
    public static void main(String[] arguments) throws InterruptedException {
        try (var server = create("stdio", Settings.of(Map.of()))) {
            server.start();
            server.awaitStop();
        }
    }

    static ToolServer create(String listener, Settings settings) {
        var server = ToolServer.create(ToolServerOptions.builder()
                .name("served")
                .version("7.7")
                .listen(listener, settings)
                .withoutGlobalHandlers()
                .build());
        server.registerTool(
                "add", ToolConfig.DEFAULTS.asReadOnly(), Numbers.class, (numbers, call) -> numbers.a() + numbers.b());
        server.registerTool("print", ToolConfig.of("{\"type\":\"object\"}"), call -> {
            System.out.println("this is no protocol");
            return "printed";
        });
        server.registerTool("ask", ToolConfig.of("{\"type\":\"object\"}"), call -> {
            call.client().progress(1, 2);
            return "Hello, "
                    + call.client().elicit("What is your name?", FORM).content().get("name");
        });
        return server;
    }
}
