package io.mcpbridge.sdk;

import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageRequest;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.SamplingMessage;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** An unchanged server of the SDK, whose tools echo, report progress and ask the client. */
final class EchoServer {
    private EchoServer() {}

    /** Serves over standard streams, until the client leaves. */
    public static void main(String[] arguments) {
        over(BridgeServerTransports.stdio());
        System.out.println("a print does not disturb the protocol");
    }

    static McpSyncServer over(McpServerTransportProvider transport) {
        return McpServer.sync(transport)
                .serverInfo("echo", "1")
                .requestTimeout(Duration.ofSeconds(60))
                .capabilities(ServerCapabilities.builder().tools(true).build())
                .tools(
                        tool("echo", EchoServer::echo),
                        tool("progress", EchoServer::progress),
                        tool("ask", EchoServer::ask))
                .build();
    }

    static SyncToolSpecification tool(
            String name, BiFunction<McpSyncServerExchange, CallToolRequest, CallToolResult> handler) {
        return SyncToolSpecification.builder()
                .tool(Tool.builder(name, Map.of("type", "object"))
                        .description(name)
                        .build())
                .callHandler(handler)
                .build();
    }

    private static CallToolResult echo(McpSyncServerExchange exchange, CallToolRequest request) {
        return text(String.valueOf(request.arguments().get("text")));
    }

    private static CallToolResult progress(McpSyncServerExchange exchange, CallToolRequest request) {
        for (int i = 1; i <= 3; i++) {
            exchange.progressNotification(ProgressNotification.builder(request.progressToken(), i)
                    .total(3.0)
                    .build());
        }
        return text("done");
    }

    private static CallToolResult ask(McpSyncServerExchange exchange, CallToolRequest request) {
        var question =
                new SamplingMessage(Role.USER, TextContent.builder("6 * 7?").build());
        var answer = exchange.createMessage(
                CreateMessageRequest.builder(List.of(question), 10).build());
        return text(((TextContent) answer.content()).text());
    }

    static CallToolResult text(String text) {
        return CallToolResult.builder().addTextContent(text).build();
    }
}
