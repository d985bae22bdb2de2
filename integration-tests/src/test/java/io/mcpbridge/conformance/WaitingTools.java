package io.mcpbridge.conformance;

import static io.mcpbridge.conformance.FixtureTool.ANY;
import static io.mcpbridge.conformance.FixtureTool.said;
import static io.mcpbridge.conformance.FixtureTool.tool;

import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The tools of {@link LegacyFixture} that wait until they are released. The SDK does not receive cancellations, so a
 * cancelled call waits on, up to a limit.
 */
final class WaitingTools {
    /** Over standard streams the SDK ends when it is given two answers at the same moment, so these come apart. */
    private static final Executor A_MOMENT_LATER = CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS);

    private final LinkedBlockingQueue<CompletableFuture<CallToolResult>> waiting = new LinkedBlockingQueue<>();

    List<SyncToolSpecification> tools() {
        return List.of(
                tool("test_waiting", ANY, this::await),
                tool("test_let_go", ANY, (client, call) -> said(String.valueOf(releaseAll()))));
    }

    private CallToolResult await(McpSyncServerExchange client, CallToolRequest call) {
        var end = new CompletableFuture<CallToolResult>();
        waiting.add(end);
        ContentTools.progress(client, call);
        return end.completeOnTimeout(said("nobody let it go"), 30, TimeUnit.SECONDS)
                .join();
    }

    private int releaseAll() {
        var all = new ArrayList<CompletableFuture<CallToolResult>>();
        waiting.drainTo(all);
        A_MOMENT_LATER.execute(() -> all.forEach(end -> end.complete(said("let go"))));
        return all.size();
    }
}
