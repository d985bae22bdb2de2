package io.mcpbridge.benchmarks;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Calls through the synchronous client of the official SDK. */
final class SdkClient implements Contender {
    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final McpSyncClient client;

    private SdkClient(McpClientTransport transport) {
        client = McpClient.sync(transport)
                .initializationTimeout(START)
                .requestTimeout(TIMEOUT)
                .build();
        client.initialize();
    }

    static SdkClient stdio(String program, List<String> arguments) {
        var server = ServerParameters.builder(program).args(arguments).build();
        return new SdkClient(new StdioClientTransport(server, McpJsonDefaults.getMapper()));
    }

    static SdkClient http(String address) {
        return new SdkClient(HttpClientStreamableHttpTransport.builder(address).build());
    }

    @Override
    public void call() {
        var text = Payload.numbered();
        var result = client.callTool(
                CallToolRequest.builder("echo").arguments(Map.of("text", text)).build());
        if (Boolean.TRUE.equals(result.isError())
                || !result.content().toString().contains(text)) {
            throw new IllegalStateException("the result is " + result);
        }
    }

    @Override
    public void close() {
        client.closeGracefully();
    }
}
