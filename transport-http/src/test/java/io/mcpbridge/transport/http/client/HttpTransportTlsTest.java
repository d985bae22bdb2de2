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
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS, to a server whose certificate is for {@code localhost} alone. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpTransportTlsTest {
    private static final char[] PASSWORD = "password".toCharArray();

    @TempDir
    private Path folder;

    private HttpsServer server;
    private SSLContext trusting;
    private SSLContext before;

    @BeforeEach
    void serve() throws Exception {
        before = SSLContext.getDefault();
        trusting = context(keys());
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(trusting));
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
    void certificateThatNobodyTrustsIsRefusedWithTheReason() {
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
    void certificateForAnotherNameIsRefused() {
        SSLContext.setDefault(trusting);
        try (var client = Client.notOpen(url("127.0.0.1"), Map.of())) {
            assertThatThrownBy(client::open)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("TLS failed");
        }
    }

    @Test
    void trustedServerIsSpokenTo() throws Exception {
        SSLContext.setDefault(trusting);
        try (var client = Client.notOpen(url("localhost"), Map.of()).open()) {
            client.answer(client.send());

            assertThat(client.receiver.messages()).hasSize(1);
        }
    }

    private URI url(String host) {
        return URI.create("https://" + host + ":" + server.getAddress().getPort() + "/mcp");
    }

    private KeyStore keys() throws Exception {
        var file = folder.resolve("keys.p12");
        var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        var made = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-alias",
                        "a",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "password",
                        "-keystore",
                        file.toString())
                .inheritIO()
                .start();
        if (!made.waitFor(30, TimeUnit.SECONDS) || made.exitValue() != 0) {
            throw new IOException("keytool made no key");
        }
        var keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        return keys;
    }

    private static SSLContext context(KeyStore keys) throws Exception {
        var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("a", keys.getCertificate("a"));
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
