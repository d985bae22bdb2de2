package io.mcpbridge.peers;

import io.mcpbridge.CallOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.ElicitationHandler.ElicitResult;
import io.mcpbridge.testkit.Eventually;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Our own library as the client, which finds the era itself. */
final class OurMatrixClient implements MatrixClient {
    private static final ConnectionOptions OPTIONS = ConnectionOptions.DEFAULTS
            .withRetryPolicy("none")
            .withMaxAttempts(1)
            .withElicitationHandler(request -> ElicitResult.accept(Map.of("name", "any name")));

    private final Connection connection;

    OurMatrixClient(URI daemon) throws InterruptedException {
        connection = Connection.to(daemon, OPTIONS);
    }

    @Override
    public Seen converse(String server) throws InterruptedException {
        var prefix = server + "__";
        var said = text(prefix + "test_simple_text");
        var answered = text(prefix + "test_input_required_result_elicitation");
        var progress = new CopyOnWriteArrayList<Double>();
        var withdrawal = withdraw(prefix, progress);
        var reached = outcomeAtServer(prefix);
        var come = change(prefix, true);
        var gone = change(prefix, false);
        return new Seen(server, said, answered, progress, withdrawal, reached, come, gone, null);
    }

    private String text(String tool) throws InterruptedException {
        return connection.callTool(tool, Map.of()).text();
    }

    private String withdraw(String prefix, List<Double> progress) {
        var options = CallOptions.DEFAULTS.withProgress(report -> progress.add(report.progress()));
        var call = connection.callToolAsync(prefix + "test_waiting", Map.of(), options);
        Eventually.holds(() -> "all progress; heard is " + progress, () -> progress.size() == 3);
        call.cancel(true);
        return call.isCancelled() ? "enough" : "not withdrawn";
    }

    private String outcomeAtServer(String prefix) throws InterruptedException {
        if (prefix.startsWith("legacy")) {
            return text(prefix + "test_let_go") + " let go";
        }
        var count = new AtomicInteger();
        Eventually.holds(
                "the withdrawal to reach the server",
                () -> count.addAndGet(Integer.parseInt(now(prefix + "test_withdrawn"))) > 0);
        return count + " withdrawn";
    }

    private String now(String tool) {
        return connection
                .callToolAsync(tool, Map.of(), CallOptions.DEFAULTS)
                .join()
                .text();
    }

    /** The library has no listener for it: its own list shows that it was notified. */
    private boolean change(String prefix, boolean isThere) throws InterruptedException {
        text(prefix + "test_trigger_tool_change");
        return MatrixClient.awaitTrue(() -> tools().contains(prefix + COMER) == isThere);
    }

    private List<String> tools() {
        try {
            return connection.listTools().stream().map(tool -> tool.name()).toList();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
