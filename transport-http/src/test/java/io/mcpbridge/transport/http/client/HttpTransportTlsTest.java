package io.mcpbridge.transport.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.transport.http.RawHttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS, to a server whose certificate is for {@code localhost} alone. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpTransportTlsTest {
    @TempDir
    private Path folder;

    private HttpsServer server;
    private SSLContext trusting;
    private SSLContext before;

    @BeforeEach
    void serve() throws Exception {
        before = SSLContext.getDefault();
        trusting = new Keytool(folder).selfSigned();
        serve(trusting);
    }

    private void serve(SSLContext context) throws IOException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/mcp", exchange -> {
            var body = RawHttpServer.result("1").getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void end() {
        SSLContext.setDefault(before);
        server.stop(0);
    }

    @Test
    @DisplayName("F18: an untrusted certificate is rejected with the reason")
    void untrustedCertificateIsRejectedWithTheReason() {
        try (var client = Client.notOpen(url("localhost"), Map.of())) {
            assertThatThrownBy(client::open)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("TLS failed")
                    .hasMessageContaining("certification path")
                    .satisfies(failed ->
                            assertThat(((TransportException) failed).delivery()).isEqualTo(Delivery.NOT_SENT));
        }
    }

    @Test
    @DisplayName("F18: a certificate for another name is rejected")
    void certificateForAnotherNameIsRejected() {
        SSLContext.setDefault(trusting);
        try (var client = Client.notOpen(url("127.0.0.1"), Map.of())) {
            assertThatThrownBy(client::open)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("TLS failed");
        }
    }

    @Test
    @DisplayName("F18: an expired certificate is rejected with the reason")
    void expiredCertificateIsRejectedWithTheReason() throws Exception {
        var expired = new Keytool(folder).expired();
        server.stop(0);
        serve(expired);
        SSLContext.setDefault(expired);

        try (var client = Client.notOpen(url("localhost"), Map.of())) {
            assertThatThrownBy(client::open)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("TLS failed")
                    .hasStackTraceContaining("CertificateExpiredException");
        }
    }

    @Test
    @DisplayName("F18: a server without TLS gets no plain-text request")
    void noRequestIsSentInPlainText() throws Exception {
        try (var plain = RawHttpServer.answering(any -> RawHttpServer.json(200, RawHttpServer.result("1")));
                var client = Client.notOpen(
                        URI.create("https" + plain.url().toString().substring(4)), Map.of("connect-timeout", "1s"))) {
            assertThatThrownBy(client::open)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("https://");

            assertThat(plain.heard()).noneMatch(request -> request.head().contains("HTTP/1.1"));
        }
    }

    @Test
    void trustedCertificateIsAccepted() throws Exception {
        SSLContext.setDefault(trusting);
        try (var client = Client.notOpen(url("localhost"), Map.of()).open()) {
            client.answer(client.send());

            assertThat(client.receiver.messages()).hasSize(1);
        }
    }

    private URI url(String host) {
        return URI.create("https://" + host + ":" + server.getAddress().getPort() + "/mcp");
    }
}
