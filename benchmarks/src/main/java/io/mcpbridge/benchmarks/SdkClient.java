package io.mcpbridge.benchmarks;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Calls through the synchronous client of the official SDK over standard streams. */
final class SdkClient implements Contender {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final McpSyncClient client;

    SdkClient(String program, List<String> arguments) {
        var server = ServerParameters.builder(program).args(arguments).build();
        client = McpClient.sync(new StdioClientTransport(server, McpJsonDefaults.getMapper()))
                .requestTimeout(TIMEOUT)
                .build();
        client.initialize();
    }

    @Override
    public void call() {
        var result = client.callTool(CallToolRequest.builder("echo")
                .arguments(Map.of("text", Payload.TEXT))
                .build());
        if (Boolean.TRUE.equals(result.isError()) || result.content().size() != 1) {
            throw new IllegalStateException("the result is " + result);
        }
    }

    @Override
    public void close() {
        client.closeGracefully();
    }
}
