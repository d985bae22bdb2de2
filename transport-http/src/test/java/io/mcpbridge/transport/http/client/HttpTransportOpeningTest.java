package io.mcpbridge.transport.http.client;

import static io.mcpbridge.transport.http.RawHttpServer.json;
import static io.mcpbridge.transport.http.RawHttpServer.result;

import io.mcpbridge.spi.Transport;
import io.mcpbridge.testkit.RecordingReceiver;
import io.mcpbridge.transport.http.HttpTestEnvironment;
import io.mcpbridge.transport.http.RawHttpServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transports that are opened on the same few threads. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpTransportOpeningTest {
    private static final int WORKERS = 4;
    private static final int TRANSPORTS = 40;

    @Test
    void manyTransportsOpenConcurrentlyOnFewWorkers() throws Exception {
        try (var server = RawHttpServer.answering(any -> json(200, result("1")));
                var surroundings = HttpTestEnvironment.withWorkers(WORKERS)) {
            var transports = new ArrayList<Transport>();
            var openings = new ArrayList<CompletableFuture<Void>>();
            var provider = new HttpTransportProvider();
            for (int i = 0; i < TRANSPORTS; i++) {
                var transport = provider.create(HttpTransportSettings.of(server.url()), surroundings.environment());
                transports.add(transport);
                openings.add(CompletableFuture.runAsync(
                        () -> open(transport, surroundings),
                        surroundings.environment().workers()));
            }

            CompletableFuture.allOf(openings.toArray(CompletableFuture[]::new)).join();

            transports.forEach(Transport::close);
        }
    }

    private static void open(Transport transport, HttpTestEnvironment surroundings) {
        try {
            transport.open(new RecordingReceiver(), surroundings.within(Duration.ofSeconds(2)));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
