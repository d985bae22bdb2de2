package io.mcpbridge.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.testkit.Eventually;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Row B2: handlers that return a future. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // The server awaits what a handler returns.
class FutureResultsTest {

    @Test
    void b2FutureDeliversTheResult() throws Exception {
        try (var bench = new ServeBench().with("later", call -> CompletableFuture.supplyAsync(() -> Map.of("n", 1)))) {
            assertThat(bench.legacy().envelope("later", "{}")).isEqualTo("{\"ok\":true,\"data\":{\"n\":1}}");
        }
    }

    @Test
    void b2ArgumentsMayBeARecord() throws Exception {
        try (var bench = new ServeBench()) {
            bench.server()
                    .registerTool(
                            "later",
                            ToolConfig.DEFAULTS,
                            RecordsTest.Point.class,
                            (point, call) -> CompletableFuture.completedFuture(point.x() + point.y()));

            assertThat(bench.legacy().envelope("later", "{\"x\":1,\"y\":2}")).isEqualTo("{\"ok\":true,\"data\":3.0}");
        }
    }

    @Test
    void b2FailedFutureFailsTheCall() throws Exception {
        var failed = CompletableFuture.failedFuture(new IllegalStateException("the disk is full"));
        try (var bench =
                new ServeBench().with("failed", call -> failed).with("dependent", call -> failed.thenApply(n -> n))) {
            var client = bench.legacy();

            assertThat(client.envelope("failed", "{}")).contains("HANDLER_ERROR", "\"the disk is full\"");
            assertThat(client.envelope("dependent", "{}")).contains("HANDLER_ERROR", "\"the disk is full\"");
            assertThat(bench.log.lines()).noneMatch(line -> line.contains("unhandledRejection"));
        }
    }

    @Test
    void b2CallHoldsTheLockOfItsToolUntilTheFutureCompletes() throws Exception {
        var first = new CompletableFuture<String>();
        var begun = new CountDownLatch(2);
        try (var bench = new ServeBench().with("later", call -> {
            begun.countDown();
            return begun.getCount() == 1 ? first : "second";
        })) {
            var client = bench.legacy();
            client.beginCall("later", "{}");
            client.beginCall("later", "{}");
            Eventually.holds("the first call to begin", () -> begun.getCount() == 1);
            first.complete("first");

            assertThat(client.receive()).contains("first");
            assertThat(client.receive()).contains("second");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void b2FailureAfterTheCallIsLogged(boolean isDependent) throws Exception {
        var future = new CompletableFuture<String>();
        var begun = new CountDownLatch(1);
        try (var bench = new ServeBench().with("later", call -> {
            begun.countDown();
            return isDependent ? future.thenApply(text -> text) : future;
        })) {
            var client = bench.legacy();
            var id = client.beginCall("later", "{}");
            begun.await();
            client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%d}}"
                    .formatted(id));
            Eventually.holds(
                    "the end of the call", () -> bench.records().stream().anyMatch(ToolExit.class::isInstance));

            future.completeExceptionally(new IllegalStateException("the disk is full"));

            assertThat(bench.log.lines())
                    .contains("[mcp-bridge] unhandledRejection: java.lang.IllegalStateException: the disk is full");
        }
    }

    @Test
    void b2ResultAfterTheCallIsDropped() throws Exception {
        var future = new CompletableFuture<String>();
        var begun = new CountDownLatch(1);
        try (var bench = new ServeBench().with("later", call -> {
            begun.countDown();
            return future;
        })) {
            bench.legacy().beginCall("later", "{}");
            begun.await();

            bench.server().stop();
            future.complete("too late");

            assertThat(bench.log.lines()).noneMatch(line -> line.contains("unhandledRejection"));
        }
    }
}
