package io.mcpbridge.transport.http.listener;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.transport.http.RawHttpClient;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** CORS headers for pages of other origins: rows C1 and C11 of the fault matrix. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CorsPolicyTest {
    private static final String ALLOWED = "https://app.example";
    private static final String TOKEN = "alice-0123456789-alice";

    private final ListenerFixture served =
            ListenerFixture.with(Map.of("allowed-origins", List.of(ALLOWED), "tokens", Map.of("alice", TOKEN)));

    @AfterEach
    void end() {
        served.close();
    }

    @Nested
    class OfAConfiguredOrigin {

        @Test
        void pageMayReadAnAnswerAndItsHeaders() throws IOException {
            try (var client = served.client()) {
                client.write(client.post(origin(ALLOWED) + bearer(), ListenerFixture.PING));
                served.acceptor.awaitMessage().end(ListenerFixture.answer(1));

                var answer = client.response();
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.headers())
                        .containsEntry("access-control-allow-origin", ALLOWED)
                        .containsEntry("access-control-expose-headers", "mcp-session-id, www-authenticate, retry-after")
                        .containsEntry("vary", "origin")
                        .doesNotContainKey("access-control-allow-credentials");
            }
        }

        @Test
        void pageMayReadAStream() throws IOException {
            try (var client = served.client()) {
                client.write(client.post(origin(ALLOWED) + bearer(), ListenerFixture.PING));
                served.acceptor.awaitMessage().offer(Notification.of(Methods.LOG_MESSAGE));

                assertThat(client.response().headers())
                        .containsEntry("content-type", "text/event-stream")
                        .containsEntry("access-control-allow-origin", ALLOWED);
            }
        }

        @Test
        void pageMayReadARejection() throws IOException {
            try (var client = served.client()) {
                client.write(client.post(origin(ALLOWED), ListenerFixture.PING));

                var refusal = client.response();
                assertThat(refusal.status()).isEqualTo(401);
                assertThat(refusal.headers())
                        .containsKey("www-authenticate")
                        .containsEntry("access-control-allow-origin", ALLOWED);
            }
        }

        @Test
        void nextRequestOfTheConnectionIsValidatedSeparately() throws IOException {
            try (var client = served.client()) {
                client.write(client.post(origin(ALLOWED), ListenerFixture.PING));
                client.response();

                client.write(client.post("", ListenerFixture.PING));

                assertNoCorsHeaders(client.response());
            }
        }

        @Test
        void preflightNeedsNoToken() throws IOException {
            try (var client = served.client()) {
                client.write(preflight("/mcp", ALLOWED, "authorization, MCP-Param-Region, mcp-param-b@d, x-other"));

                var permission = client.response();
                assertThat(permission.status()).isEqualTo(204);
                assertThat(permission.headers())
                        .containsEntry("access-control-allow-origin", ALLOWED)
                        .containsEntry("access-control-allow-methods", "GET, POST, DELETE")
                        .containsEntry("access-control-max-age", "600");
                assertThat(permission.headers())
                        .extractingByKey("access-control-allow-headers", as(STRING))
                        .isEqualTo("accept, authorization, content-type, last-event-id, mcp-method, mcp-name, "
                                + "mcp-protocol-version, mcp-session-id, mcp-param-region");
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"/mcp", "/sse", "/messages?sessionId=1"})
        void connectionContinuesAfterAPreflightOnEveryPath(String path) throws IOException {
            try (var client = served.client()) {
                client.write(preflight(path, ALLOWED, "authorization"));
                assertThat(client.response().status()).isEqualTo(204);

                client.write(client.post(origin(ALLOWED) + bearer(), ListenerFixture.PING));

                served.acceptor.awaitMessage().end(ListenerFixture.answer(1));
                assertThat(client.response().status()).isEqualTo(200);
            }
        }
    }

    @Nested
    class OfAnyOther {

        @ParameterizedTest
        @DisplayName("C1: a foreign origin is rejected without CORS headers")
        @ValueSource(
                strings = {"https://evil.example", "null", "https://app.example.evil.example", "https://app.example:1"})
        void foreignOriginIsRejectedWithoutCorsHeaders(String origin) throws IOException {
            try (var client = served.client()) {
                client.write(preflight("/mcp", origin, "authorization"));
                assertRefused(client.response());

                client.write(client.post(origin(origin) + bearer(), ListenerFixture.PING));
                assertRefused(client.response());
            }
        }

        private void assertRefused(RawHttpClient.Response response) {
            assertThat(response.status()).isEqualTo(403);
            assertNoCorsHeaders(response);
        }

        @Test
        @DisplayName("C1: two origins are rejected if one is foreign, and get no CORS headers otherwise")
        void allOriginsAreChecked() throws IOException {
            try (var client = served.client()) {
                client.write(
                        client.post(origin(ALLOWED) + origin("https://evil.example") + bearer(), ListenerFixture.PING));
                assertRefused(client.response());

                client.write(client.post(origin(ALLOWED) + origin(ALLOWED) + bearer(), ListenerFixture.PING));
                served.acceptor.awaitMessage().end(ListenerFixture.answer(1));
                assertNoCorsHeaders(client.response());
            }
        }

        @ParameterizedTest
        @DisplayName("C11: without a configured origin OPTIONS is rejected like other methods")
        @ValueSource(strings = {"Origin: http://localhost:3000\r\n", ""})
        void optionsIsRejectedWithoutAConfiguredOrigin(String origin) throws IOException {
            try (var client = served.client()) {
                var preflight = preflight("/mcp", ALLOWED, "authorization").replace(origin(ALLOWED), origin);
                client.write(preflight);

                var refusal = client.response();
                assertThat(refusal.status()).isEqualTo(405);
                assertNoCorsHeaders(refusal);
            }
        }

        @Test
        void optionsWithoutAPreflightAreRejected() throws IOException {
            try (var client = served.client()) {
                client.write("OPTIONS /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n" + origin(ALLOWED) + "\r\n");

                assertThat(client.response().status()).isEqualTo(405);
            }
        }

        @Test
        void pageOnLocalhostMayCallWithoutCorsHeaders() throws IOException {
            try (var client = served.client()) {
                client.write(client.post(origin("http://localhost:3000") + bearer(), ListenerFixture.PING));
                served.acceptor.awaitMessage().end(ListenerFixture.answer(1));

                assertNoCorsHeaders(client.response());
            }
        }
    }

    private static void assertNoCorsHeaders(RawHttpClient.Response response) {
        assertThat(response.headers().keySet()).noneMatch(name -> name.startsWith("access-control-"));
    }

    private static String preflight(String path, String origin, String headers) {
        return "OPTIONS " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + origin(origin)
                + "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: " + headers + "\r\n\r\n";
    }

    private static String origin(String origin) {
        return "Origin: " + origin + "\r\n";
    }

    private static String bearer() {
        return "Authorization: Bearer " + TOKEN + "\r\n";
    }
}
