package io.mcpbridge.frontdoor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.ServerHealth;
import io.mcpbridge.config.BridgeConfiguration;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The health of a server with a health page is read from the page; the server itself does not exist. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HealthCheckTest {
    private final AtomicInteger followed = new AtomicInteger();
    private volatile int status = 200;
    private HttpServer page;

    @BeforeEach
    void startThePage() throws IOException {
        page = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        page.createContext("/health", exchange -> {
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        page.createContext("/elsewhere", exchange -> {
            followed.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        page.start();
    }

    @AfterEach
    void stopThePage() {
        page.stop(0);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"200, true", "204, true", "302, false", "404, false", "503, false"})
    void statusOfTheHealthPageDecides(int answered, boolean isHealthy) throws Exception {
        status = answered;

        var health = check(page.getAddress().getPort(), "30s");

        assertThat(health.isHealthy()).isEqualTo(isHealthy);
        assertThat(health.latency()).isPositive().isLessThan(Duration.ofSeconds(30));
        if (!isHealthy) {
            assertThat(health.error())
                    .contains("/health' answered with HTTP status " + answered, "2xx would be healthy");
        }
        assertThat(followed).hasValue(0);
    }

    @Test
    void missingHealthPageIsReported() throws Exception {
        var port = page.getAddress().getPort();
        page.stop(0);

        var health = check(port, "700ms");

        assertThat(health.isHealthy()).isFalse();
        assertThat(health.error()).contains("http://127.0.0.1:" + port + "/health", "gave no answer within 700 ms");
    }

    @Test
    void drippingHealthPageTimesOut() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var dripping = new Thread(() -> drip(server), "test-drip");
            dripping.setDaemon(true);
            dripping.start();

            var health = check(server.getLocalPort(), "700ms");

            assertThat(health.isHealthy()).isFalse();
            assertThat(health.latency()).isBetween(Duration.ofMillis(600), Duration.ofSeconds(20));
        }
    }

    private static ServerHealth check(int port, String timeout) throws InterruptedException {
        var json = """
            {"mcpServers": {"tool": {"url": "http://127.0.0.1:1/mcp", "timeout": "%s",
             "healthCheckUrl": "http://127.0.0.1:%d/health"}}}""".formatted(timeout, port);
        try (var bridge = Bridge.open(BridgeConfiguration.parse(json, Path.of(""), Map.of()), BridgeOptions.DEFAULTS)) {
            return bridge.checkHealth("tool");
        }
    }

    /** Sends a header line now and then, and never the end of the head. */
    private static void drip(ServerSocket server) {
        try (Socket socket = server.accept()) {
            var out = socket.getOutputStream();
            out.write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII));
            // Reading ends when the client disconnects, and a read timeout sets the pace.
            socket.setSoTimeout(100);
            for (int i = 0; i < 1_000; i++) {
                out.write("X-More: 1\r\n".getBytes(StandardCharsets.US_ASCII));
                await(socket);
            }
        } catch (IOException | UncheckedIOException hungUp) {
            // As it should be.
        }
    }

    private static void await(Socket socket) throws IOException {
        try {
            // The request, of which nothing matters.
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            throw new IOException("the client is gone");
        } catch (java.net.SocketTimeoutException goOn) {
            // So much time has passed.
        }
    }
}
