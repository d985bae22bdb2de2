package io.mcpbridge.peers;

import io.mcpbridge.testkit.Eventually;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The client of the official Java SDK, which has no means to withdraw a call: it has the server let it go. */
final class JavaSdkMatrixClient implements MatrixClient {
    private final SdkClient client;

    JavaSdkMatrixClient(McpClientTransport transport) {
        client = SdkClient.connect("any name", transport);
    }

    @Override
    public Seen converse(String server) {
        var prefix = server + "__";
        var said = text(prefix + "test_simple_text");
        var answered = text(prefix + "test_input_required_result_elicitation");
        client.progress.clear();
        var call = waiting(prefix);
        Eventually.holds(() -> "all progress; heard is " + client.progress, () -> client.progress.size() == 3);
        var reached = text(prefix + "test_let_go") + " let go";
        var ended = call.join();
        // The SDK loses the order of notifications.
        var progress = client.progress.stream().sorted().toList();
        var come = change(prefix, true);
        var gone = change(prefix, false);
        return new Seen(server, said, answered, progress, ended, reached, come, gone, null);
    }

    private String text(String tool) {
        return client.text(tool, Map.of());
    }

    private CompletableFuture<String> waiting(String prefix) {
        var request = CallToolRequest.builder(prefix + "test_waiting")
                .arguments(Map.of())
                .progressToken(prefix)
                .build();
        return CompletableFuture.supplyAsync(() -> {
            var result = client.sdk.callTool(request);
            return ((TextContent) result.content().get(0)).text();
        });
    }

    private boolean change(String prefix, boolean isThere) {
        var before = client.toolLists.size();
        text(prefix + "test_trigger_tool_change");
        return MatrixClient.awaitTrue(
                () -> client.toolLists.size() > before && tools().contains(prefix + COMER) == isThere);
    }

    private List<String> tools() {
        return client.sdk.listTools().tools().stream().map(tool -> tool.name()).toList();
    }

    @Override
    public void close() {
        client.close();
    }
}
