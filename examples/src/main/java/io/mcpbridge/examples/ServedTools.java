package io.mcpbridge.examples;

import io.mcpbridge.call.LogLevel;
import io.mcpbridge.server.Description;
import io.mcpbridge.server.ServerMode;
import io.mcpbridge.server.Tool;
import io.mcpbridge.server.ToolConfig;
import io.mcpbridge.server.ToolServer;
import io.mcpbridge.server.ToolServerOptions;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.tool.Content;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.Prompt;
import io.mcpbridge.tool.Resource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Serves tools of a program to MCP clients. */
public final class ServedTools {
    private static final String MESSAGE = """
        {"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]}\
        """;

    private static final Json YES_OR_NO = Json.parse("""
        {"type": "object", "properties": {"sure": {"type": "boolean"}}, "required": ["sure"]}\
        """);

    private static final String PLACE = """
        {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]}\
        """;

    private static final String PIXEL =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

    private ServedTools() {}

    /** The arguments of {@code greet}. */
    public record Greeting(@Description("Who is greeted") String name, Optional<Integer> times) {}

    /** What {@code forecast} returns. */
    public record Weather(@Description("In Celsius") int degrees, Optional<String> sky) {}

    /** Has a tool {@code add_up}. */
    public static final class Calculator {
        @Tool(value = "Adds up numbers.", readOnly = true, parameters = "terms")
        public double addUp(@Description("Two or more") List<Double> terms) {
            return terms.stream().mapToDouble(term -> term).sum();
        }
    }

    /** Serves a client on standard input and output until it disconnects. */
    public static void main(String[] arguments) throws InterruptedException {
        var options = ToolServerOptions.builder()
                .name("greeter")
                .version("1.0")
                .listen("stdio", Settings.of(Map.of()))
                .build();
        try (var server = ToolServer.create(options)) {
            register(server);
            server.start();
            server.awaitStop();
        }
    }

    /** Serves other programs of this machine. The caller closes the server. */
    public static ToolServer onASocket(Path socket) throws InterruptedException {
        var server = ToolServer.create(ToolServerOptions.builder()
                .version("1.0")
                .mode(ServerMode.READONLY)
                .listen("unix", Settings.of(Map.of("path", socket.toString())))
                .withoutGlobalHandlers()
                .build());
        register(server);
        server.start();
        return server;
    }

    /** Serves clients that know the token of {@code alice}, until the program ends or the caller closes the server. */
    public static ToolServer overHttp(String token) throws InterruptedException {
        var server = ToolServer.create(ToolServerOptions.builder()
                .version("1.0")
                .listen("http", Settings.of(Map.of("port", 0, "tokens", Map.of("alice", token))))
                .build());
        Runtime.getRuntime().addShutdownHook(new Thread(server::stop));
        register(server);
        server.start();
        return server;
    }

    private static void register(ToolServer server) {
        server.registerTool(
                "echo",
                ToolConfig.of(MESSAGE).withDescription("Returns the message.").asReadOnly(),
                call -> call.arguments().get("message"));

        server.registerTool(
                "greet",
                ToolConfig.DEFAULTS.asReadOnly().inParallel(),
                Greeting.class,
                (greeting, call) -> "Hello, " + greeting.name()
                        + "!".repeat(greeting.times().orElse(1)));

        server.registerTools(new Calculator());

        server.registerTool(
                "forecast",
                ToolConfig.of(PLACE).returning(Weather.class).asReadOnly(),
                call -> new Weather(21, Optional.of("clear")));

        server.registerTool(
                "chart",
                ToolConfig.of(PLACE).withoutEnvelope().asReadOnly(),
                call -> new Content.Image(PIXEL, "image/png"));

        server.registerTool("erase", ToolConfig.of("{\"type\": \"object\"}"), call -> {
            call.client().progress(1, 2, "asking");
            var answer = call.client().elicit("Erase everything?", YES_OR_NO);
            if (!answer.isAccepted() || !Boolean.TRUE.equals(answer.content().get("sure"))) {
                return "kept";
            }
            call.client().log(LogLevel.WARNING, "erasing");
            return "erased";
        });

        server.registerResource(
                new Resource(Json.of(Map.of("uri", "notes:/today", "name", "today", "mimeType", "text/plain"))),
                caller -> "Buy milk.");

        server.registerPrompt(
                new Prompt(Json.of(
                        Map.of("name", "review", "arguments", List.of(Map.of("name", "code", "required", true))))),
                (prompt, caller) ->
                        List.of(new Prompt.Message("user", new Content.Text("Review " + prompt.get("code")))));
    }
}
