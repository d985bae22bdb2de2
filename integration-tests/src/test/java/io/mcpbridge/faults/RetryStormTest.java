package io.mcpbridge.faults;

import static io.mcpbridge.faults.FaultBench.NAME;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.mcpbridge.CallOptions;
import io.mcpbridge.testkit.LeakCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/** Row F12 of the fault matrix: a server that fails at everything is not buried under repetitions. */
@Timeout(60)
class RetryStormTest {
    private static final int CALLS = 200;
    private static final String UNCHECKED = "\"schema-check\": \"none\"";
    private static final String READ_ONLY = "\"tools\": {\"echo\": {\"read-only\": true}}";
    private static final String WELCOME = """
        {"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},\
        "serverInfo":{"name":"failing","version":"1"}}}\
        """;

    private final LeakCheck residue = LeakCheck.now();
    private final Queue<Long> failed = new ConcurrentLinkedQueue<>();
    private final AtomicInteger lists = new AtomicInteger();
    private final ExecutorService threads = Executors.newFixedThreadPool(8);
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
        server.setExecutor(threads);
        server.createContext("/mcp", exchange -> {
            var request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            var isOpening = request.contains("\"initialize\"");
            if (request.contains("\"tools/call\"")) {
                failed.add(System.nanoTime());
            }
            if (request.contains("\"tools/list\"")) {
                lists.incrementAndGet();
            }
            var answer = isOpening ? WELCOME.formatted(request.replaceFirst(".*\"id\":(\\d+).*", "$1")) : "";
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(isOpening ? 200 : 500, isOpening ? answer.length() : -1);
            exchange.getResponseBody().write(answer.getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void close() throws InterruptedException {
        server.stop(0);
        threads.shutdownNow();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        residue.assertNothingLeft();
    }

    @Test
    @DisplayName("F12: while all calls fail, a server gets only few retries")
    void failingServerGetsFewRetries(TestReporter reporter) throws Exception {
        try (var bench = bench(UNCHECKED, "\"breaker\": \"none\"", "\"maxRetries\": 2", "\"retryDelayMs\": 50")) {
            var begun = System.nanoTime();
            awaitFailures(callAll(bench));

            var seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun) + 1;
            reporter.publishEntry("attempts", "%d for %d calls in %d s".formatted(failed.size(), CALLS, seconds));
            // The budget of 100 pays for ten repetitions, and each second for a tenth of one.
            assertThat(failed.size()).isBetween(CALLS + 1, CALLS + 10 + (int) seconds);
        }
    }

    @Test
    @DisplayName("F12: without a budget all calls are retried, but spread over time")
    void retriesAreSpreadRandomly() throws Exception {
        try (var bench = bench(
                UNCHECKED,
                "\"breaker\": \"none\"",
                "\"retry-budget\": \"none\"",
                "\"maxRetries\": 1",
                "\"retryDelayMs\": 2000")) {
            awaitFailures(callAll(bench));

            var times = failed.stream().mapToLong(Long::longValue).sorted().toArray();
            assertThat(times).hasSize(2 * CALLS);
            var repetitions = LongStream.of(times).skip(CALLS).toArray();
            assertThat(TimeUnit.NANOSECONDS.toMillis(repetitions[CALLS * 9 / 10] - repetitions[CALLS / 10]))
                    .isGreaterThan(500);
        }
    }

    @Test
    @DisplayName("F12: the default breaker stops calls to a failing server after a few of them")
    void breakerStopsCallsToAFailingServer() throws Exception {
        try (var bench = bench(UNCHECKED, "\"maxRetries\": 2", "\"retryDelayMs\": 50")) {
            for (int i = 0; i < 50; i++) {
                awaitFailures(List.of(call(bench)));
            }

            assertThat(failed).hasSizeLessThan(10);
        }
    }

    @Test
    @DisplayName("F12: calls that cannot be checked do not bury a server under requests for its list")
    void failingListIsRequestedFewTimes() throws Exception {
        try (var bench = bench("\"breaker\": \"none\"", "\"retry-budget\": \"none\"", "\"retryDelayMs\": 50")) {
            var begun = System.nanoTime();
            awaitFailures(callAll(bench));

            var seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun) + 1;
            assertThat(failed).isEmpty();
            assertThat((long) lists.get()).isBetween(1L, 5 + seconds);
        }
    }

    private FaultBench bench(String... more) throws Exception {
        var uri = URI.create(
                "http://127.0.0.1:%d/mcp".formatted(server.getAddress().getPort()));
        var all = java.util.stream.Stream.concat(
                java.util.stream.Stream.of(READ_ONLY, "\"protocol\": \"legacy\""), java.util.stream.Stream.of(more));
        var bench = FaultBench.at(uri, all.toArray(String[]::new));
        bench.bridge.checkHealth(NAME);
        return bench;
    }

    private static List<CompletableFuture<?>> callAll(FaultBench bench) {
        return IntStream.range(0, CALLS)
                .<CompletableFuture<?>>mapToObj(i -> call(bench))
                .toList();
    }

    private static CompletableFuture<?> call(FaultBench bench) {
        return bench.bridge.callToolAsync(NAME, "echo", Map.of("text", "x"), CallOptions.DEFAULTS);
    }

    private static void awaitFailures(List<CompletableFuture<?>> calls) throws Exception {
        for (var call : calls) {
            assertThat(call.handle((result, why) -> why != null).get(30, TimeUnit.SECONDS))
                    .isTrue();
        }
    }
}
