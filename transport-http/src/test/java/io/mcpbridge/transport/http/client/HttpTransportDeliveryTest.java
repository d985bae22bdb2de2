package io.mcpbridge.transport.http.client;

import static io.mcpbridge.transport.http.RawHttpServer.json;
import static io.mcpbridge.transport.http.RawHttpServer.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.testkit.RecordingReceiver.Signal;
import io.mcpbridge.transport.http.RawHttpServer;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The delivery of a request after a failure; the server counts what it received. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpTransportDeliveryTest {

    @Nested
    class WithoutAConnection {

        @Test
        @DisplayName("F1: a refused connection names the address and counts as not sent")
        void refusedConnectionNamesTheAddressAndCountsAsNotSent() throws Exception {
            URI unused;
            try (var server = RawHttpServer.answering(any -> "")) {
                unused = server.url();
            }
            try (var client = Client.notOpen(unused, Map.of())) {
                assertThatThrownBy(client::open)
                        .isInstanceOf(TransportException.class)
                        .hasMessageContaining(unused.toString())
                        .hasMessageContaining("refused")
                        .satisfies(failed -> assertThat(((TransportException) failed).delivery())
                                .isEqualTo(Delivery.NOT_SENT));
            }
        }

        @Test
        @DisplayName("F1: a name that cannot be resolved is reported")
        void unknownNameIsReported() {
            try (var client = Client.notOpen(URI.create("http://nobody.invalid/mcp"), Map.of())) {
                assertThatThrownBy(client::open)
                        .isInstanceOf(TransportException.class)
                        .hasMessageContaining("'nobody.invalid' cannot be resolved")
                        .satisfies(failed -> assertThat(((TransportException) failed).delivery())
                                .isEqualTo(Delivery.NOT_SENT));
            }
        }

        @Test
        @DisplayName("F1: a server that was closed later counts as not sent, and the request may be retried")
        void serverClosedLaterCountsAsNotSent() throws Exception {
            var server = RawHttpServer.answering(any -> json(200, result("1")));
            try (var client = Client.of(server)) {
                server.close();

                // The first request may still leave on the connection whose end the client has not noticed yet.
                Eventually.holds("a failure before anything is sent", () -> {
                    var failure = client.failure(client.send());
                    return failure.delivery() == Delivery.NOT_SENT && failure.retryable();
                });
            }
        }

        @Test
        void failedOpenLeavesNoResources() throws Exception {
            URI unused;
            try (var server = RawHttpServer.answering(any -> "")) {
                unused = server.url();
            }
            try (var client = Client.notOpen(unused, Map.of())) {
                var before = LeakCheck.now();

                assertThatThrownBy(client::open).isInstanceOf(TransportException.class);

                before.assertNothingLeft();
            }
        }
    }

    @Nested
    class WithABrokenConnection {

        @ParameterizedTest(name = "ended by {0}")
        @DisplayName("F2: a connection that ends before the request is written is replaced once; nothing arrives twice")
        @ValueSource(strings = {"FIN", "RST"})
        void requestOnAStaleConnectionArrivesAtMostOnce(String how) throws Exception {
            try (var server = new RawHttpServer(talk -> {
                        talk.write(json(200, result(id(talk.next().orElseThrow()))));
                        if (how.equals("RST")) {
                            talk.reset();
                        }
                    });
                    var client = Client.of(server, Map.of("keep-alive", "1h"))) {
                for (int i = 1; i <= 50; i++) {
                    var out = client.send();
                    Eventually.holds("its end", () -> isOver(client, out));
                }

                var ids = server.heard().stream().map(each -> id(each)).toList();
                assertThat(ids).doesNotHaveDuplicates();
                assertThat(client.receiver.signals())
                        .noneMatch(signal -> signal instanceof Signal.Failed failed
                                && failed.why().failure().delivery() == Delivery.NOT_SENT);
            }
        }

        private boolean isOver(Client client, Outgoing out) {
            var id = ((Request) out.message()).id();
            return client.receiver.failure(out).isPresent()
                    || client.receiver.messages().stream()
                            .anyMatch(each -> ((Response) each).id().equals(Optional.of(id)));
        }

        @Test
        @DisplayName("F3: a reset after the request and before the answer is unknown, and nothing is resent")
        void resetAfterTheRequestIsUnknownAndNothingIsResent() throws Exception {
            try (var server = new RawHttpServer(talk -> {
                        talk.next();
                        talk.reset();
                    });
                    var client = Client.of(server)) {
                var out = client.send();

                assertThat(client.failure(out).delivery()).isEqualTo(Delivery.UNKNOWN);
                assertThat(client.receiver.isWritten(out)).isTrue();
                assertThat(server.heard()).hasSize(1);
            }
        }

        @Test
        @DisplayName("F3: a close after the request and before the answer is unknown, and nothing is resent")
        void closeAfterTheRequestIsUnknownAndNothingIsResent() throws Exception {
            try (var server = new RawHttpServer(RawHttpServer.Talk::next);
                    var client = Client.of(server)) {
                assertThat(client.failure(client.send()).delivery()).isEqualTo(Delivery.UNKNOWN);
                assertThat(server.heard()).hasSize(1);
            }
        }

        @ParameterizedTest(name = "{0}")
        @CsvSource(
                delimiter = '|',
                value = {
                    "half of the announced length | HTTP/1.1 200 OK\\r"
                            + "\\n"
                            + "Content-Type: application/json\\r"
                            + "\\n"
                            + "Content-Length: 99\\r"
                            + "\\n"
                            + "\\r"
                            + "\\n"
                            + "{\"jsonrpc\":\"2.0\"",
                    "a chunk without the last one | HTTP/1.1 200 OK\\r"
                            + "\\n"
                            + "Content-Type: application/json\\r"
                            + "\\n"
                            + "Transfer-Encoding: chunked\\r"
                            + "\\n"
                            + "\\r"
                            + "\\n"
                            + "2\\r"
                            + "\\n"
                            + "{}\\r"
                            + "\\n",
                    "no length and half a message | HTTP/1.1 200 OK\\r"
                            + "\\n"
                            + "Content-Type: application/json\\r"
                            + "\\n"
                            + "\\r"
                            + "\\n"
                            + "{\"jsonrpc\":\"2.0\",\"id\":1",
                    "half a head | HTTP/1.1 200 OK\\r\\nContent-Ty",
                    "no HTTP at all | 220 mail.example ESMTP\\r\\n\\r\\n",
                    "a stream without the answer | HTTP/1.1 200 OK\\r"
                            + "\\n"
                            + "Content-Type: text/event-stream\\r"
                            + "\\n"
                            + "\\r"
                            + "\\n"
                            + "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\\n"
                            + "\\n",
                    "an empty answer | HTTP/1.1 200 OK\\r"
                            + "\\n"
                            + "Content-Type: application/json\\r"
                            + "\\n"
                            + "Content-Length: 0\\r"
                            + "\\n"
                            + "\\r"
                            + "\\n",
                    "a page | HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\nContent-Length: 6\\r\\n\\r\\n<html>",
                    "a foreign answer | HTTP/1.1 200 OK\\r"
                            + "\\n"
                            + "Content-Type: application/json\\r"
                            + "\\n"
                            + "Content-Length: 37\\r"
                            + "\\n"
                            + "\\r"
                            + "\\n"
                            + "{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":{}}",
                    "accepted | HTTP/1.1 202 Accepted\\r\\nContent-Length: 0\\r\\n\\r\\n",
                })
        void unusableAnswerIsUnknownAndNothingIsResent(String name, String answer) throws Exception {
            var bytes = answer.strip().replace("\\r", "\r").replace("\\n", "\n");
            try (var server = new RawHttpServer(talk -> {
                        talk.next();
                        talk.write(bytes);
                    });
                    var client = Client.of(server)) {
                var failure = client.failure(client.send());

                assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
                assertThat(failure.message()).contains(server.url().toString());
                assertThat(server.heard()).hasSize(1);
            }
        }
    }

    @Nested
    class WithoutAnEnd {

        @Test
        @DisplayName("F6: a request to a silent server ends when it is abandoned")
        void abandonedRequestToASilentServerEnds() throws Exception {
            var ended = new CountDownLatch(1);
            try (var server = new RawHttpServer(talk -> {
                        talk.next();
                        talk.awaitEnd();
                        ended.countDown();
                    });
                    var client = Client.of(server)) {
                var out = client.send();
                Client.awaitRequests(server, 1);

                assertThat(client.transport.abandon(out, "timed out")).isFalse();

                assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(client.receiver.failure(out)).isEmpty();
            }
        }

        @Test
        @DisplayName("F7: a request with a dribbling body ends when it is abandoned")
        void abandonedRequestWithADribblingBodyEnds() throws Exception {
            var ended = new CountDownLatch(1);
            try (var server = new RawHttpServer(talk -> {
                        talk.next();
                        talk.write(
                                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n");
                        try {
                            talk.dribble(" ");
                        } finally {
                            ended.countDown();
                        }
                    });
                    var client = Client.of(server)) {
                var out = client.send();
                Client.awaitRequests(server, 1);

                client.transport.abandon(out, "timed out");

                assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
            }
        }

        @Test
        @DisplayName("F8: a request with an endless stream ends when it is abandoned")
        void abandonedRequestWithAnEndlessStreamEnds() throws Exception {
            var ended = new CountDownLatch(1);
            try (var server = new RawHttpServer(talk -> {
                        talk.next();
                        talk.write(RawHttpServer.stream());
                        try {
                            talk.dribble("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n\n");
                        } finally {
                            ended.countDown();
                        }
                    });
                    var client = Client.of(server)) {
                var out = client.send();
                Eventually.holds("an event", () -> !client.receiver.messages().isEmpty());

                client.transport.abandon(out, "timed out");

                assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
            }
        }

        @Test
        void abandonedLegacyRequestIsCancelledAtTheServer() throws Exception {
            try (var server = new RawHttpServer(talk -> {
                        for (var next = talk.next(); next.isPresent(); next = talk.next()) {
                            if (next.get().body().contains("cancelled")) {
                                talk.write(RawHttpServer.bare(202, ""));
                            }
                        }
                    });
                    var client = Client.of(server)) {
                var out = client.send();
                Client.awaitRequests(server, 1);

                client.transport.abandon(out, "timed out");

                Client.awaitRequests(server, 2);
                assertThat(server.heard().get(1).body()).contains("notifications/cancelled", "\"requestId\":1");
            }
        }

        @Test
        void messageWithoutAnAnswerTimesOut() throws Exception {
            var clock = new FakeTimekeeper();
            try (var server = new RawHttpServer(talk -> {
                        talk.next();
                        talk.awaitEnd();
                    });
                    var client = Client.of(server, Map.of(), clock)) {
                var out = client.send(Response.result(MessageId.of("theirs"), "{}"), Duration.ofSeconds(1));
                Client.awaitRequests(server, 1);

                var failure = client.failure(out, clock);

                assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
                assertThat(failure.message()).contains("did not accept a message within 1000 ms");
            }
        }
    }

    @Nested
    class WithTooMany {

        @Test
        void requestsBeyondTheConnectionLimitWaitAndAreAnswered() throws Exception {
            try (var server = RawHttpServer.answering(request -> json(200, result(id(request))));
                    var client = Client.of(server, Map.of("connections", 2))) {
                var sent = IntStream.range(0, 50).mapToObj(i -> client.send()).toList();

                sent.forEach(client::answer);
                assertThat(server.connections()).isLessThanOrEqualTo(2);
            }
        }

        @Test
        void requestBeyondTheQueueIsRejectedWithTheLimit() throws Exception {
            try (var server = new RawHttpServer(RawHttpServer.Talk::awaitEnd);
                    var client = Client.of(server, Map.of("connections", 1))) {
                for (int i = 0; i <= HttpConnectionPool.MAX_WAITING; i++) {
                    client.send();
                }

                var failure = client.failure(client.send());

                assertThat(failure.code()).isEqualTo(ErrorCode.OVERLOADED);
                assertThat(failure.message()).contains("1024");
                assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
            }
        }

        @Test
        void answerToTheServerDoesNotQueueBehindRequests() throws Exception {
            try (var server = new RawHttpServer(talk -> {
                        for (var next = talk.next(); next.isPresent(); next = talk.next()) {
                            if (next.get().body().contains("\"result\"")) {
                                talk.write(RawHttpServer.bare(202, ""));
                            }
                        }
                    });
                    var client = Client.of(server, Map.of("connections", 1))) {
                client.send();
                client.send();

                client.send(Response.result(MessageId.of("theirs"), "{}"));

                Eventually.holds(
                        "the answer to arrive",
                        () -> server.heard().stream()
                                .anyMatch(each -> each.body().contains("theirs")));
            }
        }
    }

    @Nested
    class OfHeaders {

        @ParameterizedTest(name = "{0}")
        @CsvSource({"line break, 'x\r\ninjected: 1'", "NUL, 'x\0y'", "not ASCII, ü", "blank around, ' x'"})
        void invalidHeaderIsRejectedBeforeAnythingIsSent(String name, String value) throws Exception {
            try (var server = RawHttpServer.answering(any -> json(200, result("1")));
                    var client = Client.of(server)) {
                var out = client.sendWith(MessageHeaders.EMPTY.with("Mcp-Param-X", value));

                assertThat(client.failure(out).delivery()).isEqualTo(Delivery.NOT_SENT);
                assertThat(client.failure(out).message()).contains("mcp-param-x");
                assertThat(server.heard()).isEmpty();
            }
        }

        @Test
        void requestThatTheSocketTakesInPartsArrivesWholeAndKeepsItsConnection() throws Exception {
            var params = "{\"text\":\"%s\"}".formatted("x".repeat(8 << 20));
            try (var server = RawHttpServer.answering(request -> json(200, result(id(request))));
                    var client = Client.of(server)) {
                client.answer(client.send());
                client.answer(client.send(Request.of(MessageId.of(2), Methods.TOOLS_CALL, params)));
                client.answer(client.send(Request.of(MessageId.of(3), Methods.TOOLS_CALL, "{}")));

                assertThat(server.heard().get(1).body()).endsWith("\"params\":" + params + "}");
                assertThat(server.connections()).isEqualTo(1);
            }
        }

        @Test
        void connectionIsNotReusedAfterAnAnswerBeforeTheEndOfTheRequest() throws Exception {
            var answered = new AtomicBoolean();
            try (var server = new RawHttpServer(talk -> {
                        if (!answered.getAndSet(true)) {
                            talk.head();
                            talk.write(json(200, result("1")));
                            talk.awaitEnd();
                        } else {
                            var request = talk.next().orElseThrow();
                            talk.write(json(200, result(id(request))));
                        }
                    });
                    var client = Client.of(server)) {
                var params = "{\"text\":\"%s\"}".formatted("x".repeat(16 << 20));
                client.answer(client.send(Request.of(MessageId.of(1), Methods.TOOLS_CALL, params)));
                client.answer(client.send(Request.of(MessageId.of(2), Methods.TOOLS_CALL, "{}")));

                assertThat(server.heard())
                        .singleElement()
                        .satisfies(heard -> assertThat(id(heard)).isEqualTo("2"));
                assertThat(server.connections()).isEqualTo(2);
            }
        }

        @Test
        void requestHeadersPrecedeConfiguredOnes() throws Exception {
            try (var server = RawHttpServer.answering(any -> json(200, result("1")));
                    var client = Client.of(
                            server, Map.of("headers", Map.of("Authorization", "Bearer old", "X-Team", "tools")))) {
                client.answer(client.sendWith(MessageHeaders.EMPTY.with("Authorization", "Bearer new")));

                assertThat(server.heard().get(0).head()).contains("Bearer new").doesNotContain("Bearer old");
                assertThat(server.heard().get(0).header("x-team")).isEqualTo("tools");
            }
        }
    }

    private static String id(RawHttpServer.Heard request) {
        return request.body().replaceAll(".*\"id\":(\\d+).*", "$1");
    }
}
