package io.mcpbridge.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.mcpbridge.agents.ModelClient.ModelRequest;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.CallTimedOutException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.Secret;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.tool.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Model APIs over HTTP, each played by a server with a script. */
@Timeout(60)
class HttpModelClientTest {
    private static final Secret KEY = Secret.of("sk-secret-42");
    private static final Json BODY = Json.parse("{\"model\":\"m\"}");
    private static final Duration LONG = Duration.ofSeconds(30);

    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final List<Scripted> script = new CopyOnWriteArrayList<>();
    private HttpServer server;

    private record Received(String path, Map<String, List<String>> headers, String body) {}

    private record Scripted(int status, String retryAfter, String body) {}

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        received.add(new Received(exchange.getRequestURI().toString(), exchange.getRequestHeaders(), body));
        var next = script.size() > 1 ? script.remove(0) : script.get(0);
        if (!next.retryAfter.isEmpty()) {
            exchange.getResponseHeaders().add("Retry-After", next.retryAfter);
        }
        exchange.getResponseHeaders().add("Content-Type", next.body.startsWith("<") ? "text/html" : "application/json");
        var bytes = next.body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(next.status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }

    private URI base() {
        return URI.create(
                "http://127.0.0.1:%d/v1/".formatted(server.getAddress().getPort()));
    }

    private Json ask(ModelFormat format, Duration timeout) throws InterruptedException {
        return ModelProvider.overHttp(format, base(), KEY).client().complete(new ModelRequest("m", BODY, timeout));
    }

    @ParameterizedTest
    @CsvSource({
        "OPENAI,/v1/chat/completions,Authorization,Bearer sk-secret-42",
        "OPENAI_RESPONSES,/v1/responses,Authorization,Bearer sk-secret-42",
        "ANTHROPIC,/v1/v1/messages,X-api-key,sk-secret-42",
        "GEMINI,/v1/models/m:generateContent,X-goog-api-key,sk-secret-42"
    })
    void requestHasPathAndKeyOfItsApi(ModelFormat format, String path, String header, String key)
            throws InterruptedException {
        script.add(new Scripted(200, "", "{\"ok\":true}"));

        assertThat(ask(format, LONG).text()).isEqualTo("{\"ok\":true}");

        assertThat(received).singleElement().satisfies(request -> {
            assertThat(request.path).isEqualTo(path);
            assertThat(request.body).isEqualTo(BODY.text());
            assertThat(request.headers.get(header)).containsExactly(key);
        });
    }

    @Test
    void busyResponsesAreRetriedAfterTheDelayOfTheApi() throws InterruptedException {
        script.addAll(List.of(
                new Scripted(429, "0", "{}"),
                new Scripted(503, "0", "<html>"),
                new Scripted(500, "0", ""),
                new Scripted(200, "", "{}")));

        assertThat(ask(ModelFormat.OPENAI, LONG).text()).isEqualTo("{}");

        assertThat(received).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 502, 503, 529})
    void busyApiIsOverloadedAfterFourAttempts(int status) {
        script.add(new Scripted(status, "0", "{\"error\":{\"message\":\"too busy\"}}"));

        assertThatThrownBy(() -> ask(ModelFormat.ANTHROPIC, LONG))
                .hasMessageContaining("answered HTTP %d: too busy; try again later".formatted(status))
                .isInstanceOfSatisfying(BridgeException.class, failure -> {
                    assertThat(failure.code()).isEqualTo(ErrorCode.OVERLOADED);
                    assertThat(failure.retryable()).isTrue();
                    assertThat(failure.attempts()).isEqualTo(4);
                });
        assertThat(received).hasSize(4);
    }

    @Test
    void delayBeyondTheTimeoutOfTheAgentFailsAtOnce() {
        script.add(new Scripted(429, "3600", "{}"));

        assertThatThrownBy(() -> ask(ModelFormat.OPENAI, LONG))
                .hasMessageMatching(
                        ".*HTTP 429.*; it asks to wait 3600 s, but the time-out leaves \\d+ s; try again then");

        assertThat(received).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"401,check the API key", "403,check the API key", "404,check the name of the model"})
    void configurationErrorIsNotRetried(int status, String advice) {
        script.add(new Scripted(status, "", "{\"error\":{\"message\":\"no sk-secret-42 here\"}}"));

        assertThatThrownBy(() -> ask(ModelFormat.OPENAI, LONG))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("HTTP %d: no *** here; %s".formatted(status, advice));
        assertThat(received).hasSize(1);
    }

    @Test
    void rejectedRequestHasTheMessageOfTheApi() {
        script.add(new Scripted(400, "", "{\"error\":\"bad schema\"}"));

        assertThatThrownBy(() -> ask(ModelFormat.OPENAI, LONG))
                .hasMessageEndingWith("HTTP 400: bad schema")
                .extracting(failure -> ((BridgeException) failure).code())
                .isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<html>Sign in</html>|is not JSON but text/html: <html>Sign in</html>; check the base URL",
                "''|is not JSON but application/json, nothing else; check the base URL",
                "{\"a\":|is not JSON but application/json: {\"a\":; check the base URL"
            })
    void responseThatIsNotJsonIsAProtocolError(String body, String message) {
        script.add(new Scripted(200, "", body));

        assertThatThrownBy(() -> ask(ModelFormat.OPENAI, LONG))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(message);
    }

    @Test
    void responseOverTheLimitIsRejected() {
        script.add(new Scripted(200, "", "\"" + "x".repeat(17 << 20) + "\""));

        assertThatThrownBy(() -> ask(ModelFormat.OPENAI, LONG)).hasMessageContaining("longer than 16777216 bytes");
    }

    @Test
    void apiThatNeverAnswersTimesOut() throws IOException {
        try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var provider = ModelProvider.overHttp(
                    ModelFormat.OPENAI, URI.create("http://127.0.0.1:" + silent.getLocalPort()), KEY);

            assertThatThrownBy(() -> provider.client().complete(new ModelRequest("m", BODY, Duration.ofMillis(300))))
                    .isInstanceOf(CallTimedOutException.class)
                    .hasMessageContaining("gave no answer in time");
        }
    }

    @Test
    void apiThatBreaksOffItsResponseIsNotUnreachable() throws Exception {
        try (var api = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var answering = CompletableFuture.runAsync(() -> breakOff(api));
            var provider = ModelProvider.overHttp(
                    ModelFormat.OPENAI, URI.create("http://127.0.0.1:" + api.getLocalPort()), KEY);

            assertThatThrownBy(() -> provider.client().complete(new ModelRequest("m", BODY, LONG)))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("broke off its response")
                    .hasMessageEndingWith("; try again");
            answering.join();
        }
    }

    private static void breakOff(ServerSocket api) {
        try (var client = api.accept()) {
            var request = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
            while (!request.readLine().isEmpty()) {
                // Reads the head.
            }
            assertThat(request.skip(BODY.text().length())).isEqualTo(BODY.text().length());
            client.getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{".getBytes(StandardCharsets.UTF_8));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void missingApiIsUnreachable() {
        server.stop(0);

        assertThatThrownBy(() -> ask(ModelFormat.OPENAI, LONG))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("Cannot reach 'http://127.0.0.1:", ": no connection. Start the server");
    }

    @Nested
    class Named {

        private ModelProvider named(String name, Map<String, ?> models, Map<String, String> variables) {
            return ModelProvider.named(name, Settings.of(models), variables);
        }

        @ParameterizedTest
        @EnumSource
        void keyAndUrlComeFromTheEnvironment(ModelFormat format) throws InterruptedException {
            script.add(new Scripted(200, "", "{}"));
            var prefix = format.endpoint().prefix();
            var provider = named(
                    format.word(),
                    Map.of(),
                    Map.of(prefix + "_API_KEY", "k-1\n", prefix + "_BASE_URL", base().toString()));

            provider.client().complete(new ModelRequest("m", BODY, LONG));

            assertThat(provider.format()).isEqualTo(format);
            assertThat(received.get(0).headers.values())
                    .anyMatch(values -> values.get(0).endsWith("k-1"));
        }

        @Test
        void sectionConfiguresAnotherApi() throws InterruptedException {
            script.add(new Scripted(200, "", "{}"));
            var section = Map.of("api", "openai", "url", base().toString());

            named("local", Map.of("local", section), Map.of("OPENAI_API_KEY", "not-for-others"))
                    .client()
                    .complete(new ModelRequest("m", BODY, LONG));

            assertThat(received.get(0).headers).doesNotContainKey("Authorization");
        }

        @Test
        void sectionNamesTheVariableOfItsKey() throws InterruptedException {
            script.add(new Scripted(200, "", "{}"));
            var section = Map.of("api", "openai", "url", base().toString(), "key-variable", "MINE");

            named("mine", Map.of("mine", section), Map.of("MINE", "k-2"))
                    .client()
                    .complete(new ModelRequest("m", BODY, LONG));

            assertThat(received.get(0).headers.get("Authorization")).containsExactly("Bearer k-2");
            assertThatThrownBy(() -> named("mine", Map.of("mine", section), Map.of()))
                    .hasMessageContaining("set the environment variable 'MINE'");
        }

        @Test
        void adviceOnARejectedKeyNamesItsVariable() {
            script.add(new Scripted(401, "", "{}"));
            var section = Map.of("api", "openai", "url", base().toString());
            var withKey = Map.of("api", "openai", "url", base().toString(), "key-variable", "MINE");

            assertThatThrownBy(() -> ask(named("x", Map.of("x", section), Map.of())))
                    .hasMessageEndingWith(
                            "; check the API key: none is sent; name its environment variable in 'key-variable' of the provider");
            assertThatThrownBy(() -> ask(named("x", Map.of("x", withKey), Map.of("MINE", "k"))))
                    .hasMessageEndingWith("; check the API key in MINE");
        }

        private Json ask(ModelProvider provider) throws InterruptedException {
            return provider.client().complete(new ModelRequest("m", BODY, LONG));
        }

        @Test
        void mistakesAreReported() {
            assertThatThrownBy(() -> named("openai", Map.of(), Map.of()))
                    .hasMessage("there is no key for the model API; set the environment variable 'OPENAI_API_KEY'");
            assertThatThrownBy(() -> named("other", Map.of(), Map.of()))
                    .hasMessageContaining("there is no provider of models 'other'")
                    .hasMessageContaining("anthropic");
            assertThatThrownBy(() -> named("x", Map.of("x", Map.of("api", "grpc", "ulr", "u")), Map.of()))
                    .hasMessageContaining("'x.api'")
                    .hasMessageContaining("ulr");
            assertThatThrownBy(() -> named("openai", Map.of("openai", Map.of("url", "file:///x")), Map.of()))
                    .hasMessageContaining("must be one of http or https");
            assertThatThrownBy(() -> named("openai", Map.of("openai", Map.of("url", "http://u:p@h")), Map.of()))
                    .message()
                    .doesNotContain("u:p");
            assertThatThrownBy(() -> named("openai", Map.of("openai", Map.of("url", "a b")), Map.of()))
                    .hasMessageContaining("must be a URL");
        }
    }
}
