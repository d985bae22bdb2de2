package io.mcpbridge.transport.http.client;

import static io.mcpbridge.transport.http.RawHttpServer.bare;
import static io.mcpbridge.transport.http.RawHttpServer.json;
import static io.mcpbridge.transport.http.RawHttpServer.result;
import static io.mcpbridge.transport.http.RawHttpServer.stream;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.MirroredHeaders;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.transport.http.RawHttpServer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of the modern era. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpTransportModernTest {
    private static final ProtocolVersion MODERN = ProtocolVersion.V2026_07_28;
    private static final String ERROR =
            "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,\"message\":\"no\",\"data\":{\"supported\":[]}}}";
    private static final String EVENT = "event: message\ndata: %s\n\n";
    private static final String PROGRESS =
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":1}}";

    @Nested
    class Headers {

        @Test
        void modernRequestHasVersionMethodAndNameButNoSession() throws Exception {
            try (var server = RawHttpServer.answering(any -> json(200, result("1")));
                    var client = modern(server)) {
                client.answer(client.send(request("tools/call", "{\"name\":\"execute_sql\"}")));

                var heard = server.heard().get(0);
                assertThat(heard.header("mcp-protocol-version")).isEqualTo("2026-07-28");
                assertThat(heard.header("mcp-method")).isEqualTo("tools/call");
                assertThat(heard.header("mcp-name")).isEqualTo("execute_sql");
                assertThat(heard.header("accept")).isEqualTo("application/json, text/event-stream");
                assertThat(heard.head()).doesNotContainIgnoringCase("mcp-session-id");
            }
        }

        @Test
        void versionHeaderIsThatOfTheBody() throws Exception {
            try (var server = RawHttpServer.answering(any -> json(200, result("1")));
                    var client = modern(server)) {
                var params = "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2027-01-01\"}}";
                client.answer(client.send(request("server/discover", params)));

                assertThat(server.heard().get(0).header("mcp-protocol-version")).isEqualTo("2027-01-01");
            }
        }

        @Test
        void requestWithoutANameHasNoNameHeader() throws Exception {
            try (var server = RawHttpServer.answering(any -> json(200, result("1")));
                    var client = modern(server)) {
                client.answer(client.send(request("tools/list", "{\"name\":\"x\"}")));

                assertThat(server.heard().get(0).head()).doesNotContainIgnoringCase("mcp-name");
            }
        }

        @Test
        void parameterHeadersOfTheCoreAreSent() throws Exception {
            try (var server = RawHttpServer.answering(any -> json(200, result("1")));
                    var client = modern(server)) {
                client.sendWith(MessageHeaders.EMPTY.with("Mcp-Param-Region", "us-west1"));
                Client.awaitRequests(server, 1);

                assertThat(server.heard().get(0).header("mcp-param-region")).isEqualTo("us-west1");
            }
        }

        @ParameterizedTest
        @DisplayName("C17: the name of a tool cannot inject a header")
        @ValueSource(
                strings = {
                    "a\r\nX-Evil: 1",
                    "a\nX-Evil: 1",
                    "a\rX-Evil: 1",
                    "nul\0",
                    "größe",
                    " blank",
                    "=?base64?YQ==?="
                })
        void toolNameCannotInjectAHeader(String name) throws Exception {
            try (var server = RawHttpServer.answering(any -> json(200, result("1")));
                    var client = modern(server)) {
                client.answer(client.send(request("tools/call", "{\"name\":" + JsonStrings.quote(name) + "}")));

                var heard = server.heard().get(0);
                assertThat(heard.header("x-evil")).isEmpty();
                assertThat(heard.header("mcp-name")).startsWith("=?base64?").endsWith("?=");
                assertThat(MirroredHeaders.decode(heard.header("mcp-name"))).contains(name);
            }
        }

        @Test
        void sessionOfAnEarlierHandshakeIsNotSent() throws Exception {
            try (var server = RawHttpServer.answering(any -> "HTTP/1.1 200 OK\r\nMcp-Session-Id: s-1\r\n"
                            + json(200, result("1")).substring("HTTP/1.1 200 X\r\n".length()));
                    var client = Client.of(server)) {
                client.initialize();

                client.speaking(MODERN).send(request("tools/list", "{}"));
                Client.awaitRequests(server, 2);

                assertThat(server.heard().get(1).header("mcp-session-id")).isEmpty();
            }
        }
    }

    @Nested
    class Answers {

        @Test
        void notificationsOnAStreamBelongToItsRequest() throws Exception {
            try (var server = RawHttpServer.answering(any -> stream()
                            + EVENT.formatted(PROGRESS)
                            + EVENT.formatted("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"roots/list\"}")
                            + EVENT.formatted(result("1")));
                    var client = modern(server)) {
                var out = client.send(request("tools/list", "{}"));
                client.answer(out);

                var messages = client.receiver.messages();
                assertThat(messages).hasSize(3);
                assertThat(messages)
                        .allSatisfy(message ->
                                assertThat(client.receiver.streamOf(message)).contains(out));
                assertThat(messages.get(0)).isInstanceOf(Notification.class);
                assertThat(messages.get(1)).isInstanceOf(Request.class);
            }
        }

        @ParameterizedTest(name = "{0} with {1}")
        @CsvSource({"400, -32020", "400, -32021", "400, -32022", "404, -32601", "405, -32601", "422, -32602"})
        void errorWithTheRequestIdIsTheAnswer(int status, int code) throws Exception {
            try (var server = RawHttpServer.answering(any -> json(status, ERROR.formatted("1", code)));
                    var client = modern(server)) {
                var answer = (Response) client.answer(client.send(request("server/discover", "{}")));

                assertThat(answer.json()).contains("\"code\":" + code);
            }
        }

        @ParameterizedTest(name = "{0}")
        @CsvSource({
            "400, REQUEST_FAILED",
            "404, REQUEST_FAILED",
            "401, UNAUTHORIZED",
            "403, UNAUTHORIZED",
            "500, REQUEST_FAILED",
            "503, REQUEST_FAILED"
        })
        void otherErrorIsReportedWithStatusAndBody(int status, RequestFailure.Kind kind) throws Exception {
            var other = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,\"message\":\"no session\"}}";
            try (var server = RawHttpServer.answering(any -> json(status, other));
                    var client = modern(server)) {
                var why = client.receiver.awaitFailure(client.send(request("server/discover", "{}")));

                assertThat(why.kind()).isEqualTo(kind);
                assertThat(why.failure().status()).hasValue(status);
                assertThat(why.body().orElseThrow().json()).isEqualTo(other);
            }
        }

        @Test
        void notFoundIsNotASessionLoss() throws Exception {
            try (var server = RawHttpServer.answering(any -> bare(404, ""));
                    var client = modern(server)) {
                var why = client.receiver.awaitFailure(client.send(request("tools/list", "{}")));

                assertThat(why.kind()).isEqualTo(RequestFailure.Kind.REQUEST_FAILED);
            }
        }

        @Test
        @DisplayName("F5: a broken stream is not resumed, and the request is in doubt")
        void brokenModernStreamIsNotResumed() throws Exception {
            try (var server = new RawHttpServer(talk -> {
                        talk.next();
                        talk.write(stream() + "id: 1-1\n" + EVENT.formatted(PROGRESS));
                    });
                    var client = modern(server)) {
                var failure = client.failure(client.send(request("tools/call", "{\"name\":\"x\"}")));

                assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
                assertThat(server.heard())
                        .extracting(RawHttpServer.Heard::method)
                        .containsOnly("POST");
            }
        }
    }

    @Nested
    class Endings {

        @Test
        void abandonedModernRequestOnlyClosesItsStream() throws Exception {
            var ended = new CountDownLatch(1);
            try (var server = new RawHttpServer(talk -> {
                        talk.next();
                        talk.write(stream() + EVENT.formatted(PROGRESS));
                        talk.awaitEnd();
                        ended.countDown();
                    });
                    var client = modern(server)) {
                var out = client.send(request("tools/call", "{\"name\":\"x\"}"));
                client.receiver.awaitMessage();

                assertThat(client.transport.abandon(out, "no longer wanted")).isFalse();

                assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(server.heard()).hasSize(1);
            }
        }

        @Test
        @DisplayName("F7: the stream of an abandoned request ends while the server writes its body")
        void streamOfAnAbandonedRequestEndsDuringItsBody() throws Exception {
            var ended = new CountDownLatch(1);
            try (var server = new RawHttpServer(talk -> {
                        talk.next();
                        talk.write(stream());
                        try {
                            talk.dribble(EVENT.formatted(PROGRESS));
                        } finally {
                            ended.countDown();
                        }
                    });
                    var client = modern(server)) {
                var out = client.send(request("tools/call", "{\"name\":\"x\"}"));
                Eventually.holds("an event", () -> !client.receiver.messages().isEmpty());

                client.transport.abandon(out, "timed out");

                assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
            }
        }

        @Test
        void modernTransportSendsNoDelete() throws Exception {
            try (var server = RawHttpServer.answering(any -> json(200, result("1")))) {
                try (var client = modern(server)) {
                    client.answer(client.send(request("server/discover", "{}")));
                }

                assertThat(server.heard()).hasSize(1);
            }
        }
    }

    @Nested
    class Listening {
        private static final String ACKNOWLEDGED =
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{}}";

        @Test
        @DisplayName("F6, B24: a listening stream that becomes silent fails")
        void silentStreamFails() throws Exception {
            var clock = new FakeTimekeeper();
            try (var server = new RawHttpServer(talk -> {
                        talk.next();
                        talk.write(stream() + EVENT.formatted(ACKNOWLEDGED));
                        talk.awaitEnd();
                    });
                    var client = Client.of(server, Map.of("stream-timeout", "1s"), clock)
                            .speaking(MODERN)) {
                var out = client.send(request(Methods.SUBSCRIPTIONS_LISTEN, "{}"), Duration.ofDays(300));
                Eventually.holds("the event", () -> !client.receiver.messages().isEmpty());

                var failure = client.failure(out, clock);

                assertThat(failure.message()).contains("stream-timeout");
                assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
                assertThat(client.receiver.messages()).hasSize(1);
            }
        }

        @Test
        void serverThatNeverAnswersTimesOut() throws Exception {
            try (var server = new RawHttpServer(talk -> {
                        talk.next();
                        talk.awaitEnd();
                    });
                    var client =
                            Client.of(server, Map.of("stream-timeout", "200ms")).speaking(MODERN)) {
                var out = client.send(request(Methods.SUBSCRIPTIONS_LISTEN, "{}"), Duration.ofDays(300));

                assertThat(client.failure(out).message()).contains("stream-timeout");
            }
        }

        @Test
        void commentsKeepTheStreamAlive() throws Exception {
            var clock = new Client.CountingClock();
            try (var server = new RawHttpServer(talk -> {
                        talk.next();
                        talk.write(stream());
                        talk.dribble(":\n\n");
                    });
                    var client = Client.of(server, Map.of("stream-timeout", "2s"), clock)
                            .speaking(MODERN)) {
                var out = client.send(request(Methods.SUBSCRIPTIONS_LISTEN, "{}"), Duration.ofDays(300));

                for (int i = 0; i < 10; i++) {
                    clock.advanceAfterBytes(Duration.ofMillis(500));
                }

                assertThat(client.receiver.failure(out)).isEmpty();
            }
        }

        @Test
        void listeningStreamDoesNotCountAgainstTheConnectionLimit() throws Exception {
            try (var server = new RawHttpServer(talk -> {
                        for (var request = talk.next(); request.isPresent(); request = talk.next()) {
                            boolean isListen = request.get().body().contains("subscriptions/listen");
                            talk.write(isListen ? stream() : json(200, result("2")));
                        }
                    });
                    var client = Client.of(server, Map.of("connections", 1)).speaking(MODERN)) {
                client.send(request(Methods.SUBSCRIPTIONS_LISTEN, "{}"), Duration.ofDays(300));
                Client.awaitRequests(server, 1);

                client.answer(client.send(Request.of(MessageId.of(2), "tools/list", "{}")));
            }
        }
    }

    private static Client modern(RawHttpServer server) throws InterruptedException {
        return Client.of(server).speaking(MODERN);
    }

    private static Request request(String method, String params) {
        return Request.of(MessageId.of(1), method, params);
    }
}
