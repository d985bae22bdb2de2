package suite;

import io.mcpbridge.Bridge;
import io.mcpbridge.sdk.BridgeServerTransports;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncPromptSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncResourceSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.Annotations;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.PromptMessage;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.SamplingMessage;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/** A server with what the tests of clients expect of {@code server-everything}, and a bridge in front of it. */
final class Everything implements AutoCloseable {
    static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(60);

    private final McpSyncServer server;
    private final Bridge bridge;

    Everything() {
        var socket = socket();
        server = McpServer.sync(BridgeServerTransports.unix(socket))
                .serverInfo("everything", "1")
                .requestTimeout(REQUEST_TIMEOUT)
                .capabilities(ServerCapabilities.builder()
                        .tools(true)
                        .resources(true, true)
                        .prompts(true)
                        .logging()
                        .build())
                .tools(
                        tool("echo", (exchange, request) -> text("Echo: " + argument(request, "message"))),
                        tool(
                                "add",
                                (exchange, request) -> text(
                                        Integer.toString((int) argument(request, "a") + (int) argument(request, "b")))),
                        tool("annotatedMessage", Everything::annotated),
                        tool("sampleLLM", Everything::sample),
                        tool("longRunningOperation", Everything::progress))
                .resources(IntStream.range(0, 10).mapToObj(Everything::resource).toList())
                .prompts(new SyncPromptSpecification(
                        Prompt.builder("simple_prompt").description("simple").build(),
                        (exchange, request) -> GetPromptResult.builder(
                                        List.of(PromptMessage.builder(Role.USER, textContent("hi"))
                                                .build()))
                                .build()))
                .build();
        bridge = Bridge.builder().unix("everything", socket).open();
    }

    static Path socket() {
        try {
            return Files.createTempDirectory("suite").resolve("s");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    Bridge bridge() {
        return bridge;
    }

    @Override
    public void close() {
        bridge.close();
        server.close();
    }

    private static SyncToolSpecification tool(
            String name, BiFunction<McpSyncServerExchange, CallToolRequest, CallToolResult> handler) {
        return SyncToolSpecification.builder()
                .tool(Tool.builder(name, Map.of("type", "object"))
                        .description(name)
                        .build())
                .callHandler(handler)
                .build();
    }

    private static Object argument(CallToolRequest request, String name) {
        return request.arguments().get(name);
    }

    private static TextContent textContent(String text) {
        return TextContent.builder(text).build();
    }

    private static CallToolResult text(String text) {
        return content(textContent(text));
    }

    private static CallToolResult content(Content... blocks) {
        return new CallToolResult(List.of(blocks), null, null, null);
    }

    private static CallToolResult annotated(McpSyncServerExchange exchange, CallToolRequest request) {
        var annotations = switch (String.valueOf(argument(request, "messageType"))) {
            case "error" -> new Annotations(List.of(Role.USER, Role.ASSISTANT), 1.0);
            case "success" -> new Annotations(List.of(Role.USER), 0.7);
            default -> new Annotations(List.of(Role.ASSISTANT), 0.3);
        };
        return content(
                new TextContent(annotations, "message", null),
                new ImageContent(new Annotations(List.of(Role.USER), 0.5), "AAAA", "image/png", null));
    }

    private static CallToolResult sample(McpSyncServerExchange exchange, CallToolRequest request) {
        var message = new SamplingMessage(
                Role.USER, textContent("Resource sampleLLM context: " + argument(request, "prompt")));
        var answer = exchange.createMessage(
                CreateMessageRequest.builder(List.of(message), (int) argument(request, "maxTokens"))
                        .systemPrompt("You are a helpful test server.")
                        .build());
        return text("LLM sampling result: " + ((TextContent) answer.content()).text());
    }

    private static CallToolResult progress(McpSyncServerExchange exchange, CallToolRequest request) {
        var steps = (int) argument(request, "steps");
        for (int i = 1; i <= steps && request.progressToken() != null; i++) {
            exchange.progressNotification(ProgressNotification.builder(request.progressToken(), i)
                    .total((double) steps)
                    .build());
        }
        return text("Long running operation completed.");
    }

    private static SyncResourceSpecification resource(int number) {
        var uri = "test://static/resource/" + number;
        var type = number % 2 == 0 ? "text/plain" : "application/octet-stream";
        ResourceContents contents = number % 2 == 0
                ? new TextResourceContents(uri, type, "Resource " + number, null)
                : new BlobResourceContents(uri, type, "AAAA", null);
        return new SyncResourceSpecification(
                Resource.builder(uri, "Resource " + number).mimeType(type).build(),
                (exchange, request) -> new ReadResourceResult(List.of(contents), null));
    }
}
