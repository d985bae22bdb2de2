package io.mcpbridge.transport.http.client;

import static io.mcpbridge.transport.http.RawHttpServer.bare;
import static io.mcpbridge.transport.http.RawHttpServer.json;
import static io.mcpbridge.transport.http.RawHttpServer.stream;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.testkit.EchoScript;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingAcceptor;
import io.mcpbridge.testkit.RecordingReceiver;
import io.mcpbridge.testkit.contract.ProviderContract;
import io.mcpbridge.transport.http.HttpTestEnvironment;
import io.mcpbridge.transport.http.RawHttpServer;
import io.mcpbridge.transport.http.ScriptSseServer;
import io.mcpbridge.transport.http.listener.HttpListenerProvider;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP+SSE of 2024-11-05, as configured and as the fallback for a server that rejects {@code initialize} by POST. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SseTransportTest {
    private static final Request INITIALIZE = Request.of(MessageId.of(1), Methods.INITIALIZE, "{}");

    @Nested
    class Found extends ProviderContract<TransportProvider> {

        @Override
        protected Class<TransportProvider> service() {
            return TransportProvider.class;
        }

        @Override
        protected Class<? extends TransportProvider> implementation() {
            return SseTransportProvider.class;
        }

        @Override
        protected String name() {
            return "sse";
        }
    }

    @Nested
    class AsFallback {

        @Test
        void rejectedPostFallsBackToAnEventStream() throws Exception {
            try (var server = new ScriptSseServer(new EchoScript());
                    var client = Client.notOpen(server.url(), Map.of()).open()) {
                var answer = (Response) client.answer(client.send(INITIALIZE));
                client.initialized();
                var next = (Response) client.answer(client.send(Request.of(MessageId.of(2), "echo", "{\"a\":1}")));

                assertThat(answer.isError()).isFalse();
                assertThat(next.json()).contains("{\"a\":1}");
                assertThat(server.heard())
                        .startsWith("POST /sse", "GET /sse", "POST /messages?sessionId=1")
                        .filteredOn(request -> request.endsWith("/sse"))
                        .hasSize(2);
            }
        }

        @Test
        void endOfTheStreamEndsTheConnection() throws Exception {
            try (var server = new ScriptSseServer(new EchoScript());
                    var client = Client.notOpen(server.url(), Map.of()).open()) {
                client.answer(client.send(INITIALIZE));
                client.send(Request.of(MessageId.of(2), EchoScript.HANG, "{}"));

                server.cutAll();

                assertThat(client.receiver.awaitClosed().reason()).contains("ended its event stream");
            }
            // A second end is not reported.
        }

        @ParameterizedTest(name = "{0}")
        @ValueSource(ints = {400, 404, 405})
        void serverWithoutAStreamFailsWithTheFirstError(int status) throws Exception {
            try (var server = RawHttpServer.answering(any -> bare(status, ""));
                    var client = Client.of(server)) {
                var failure = client.failure(client.send(INITIALIZE));

                assertThat(failure.status()).hasValue(status);
                assertThat(server.heard())
                        .extracting(RawHttpServer.Heard::method)
                        .containsExactly("POST", "GET");
            }
        }

        @ParameterizedTest(name = "{0} {1}")
        @CsvSource(
                delimiter = '|',
                value = {
                    "400|{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32022,\"message\":\"no\"}}",
                    "401|",
                    "500|",
                    "503|",
                })
        void otherErrorsAreFinal(int status, String body) throws Exception {
            try (var server = RawHttpServer.answering(any -> body == null ? bare(status, "") : json(status, body));
                    var client = Client.of(server)) {
                assertThat(client.failure(client.send(INITIALIZE)).status()).hasValue(status);
                assertThat(server.heard()).hasSize(1);
            }
        }

        @Test
        void onlyTheHandshakeFallsBack() throws Exception {
            try (var server = RawHttpServer.answering(any -> bare(405, ""));
                    var client = Client.of(server)) {
                client.failure(client.send());

                assertThat(server.heard()).hasSize(1);
            }
        }

        @Test
        void modernRequestNeverFallsBack() throws Exception {
            try (var server = RawHttpServer.answering(any -> bare(405, ""));
                    var client = Client.of(server).speaking(ProtocolVersion.V2026_07_28)) {
                client.failure(client.send(Request.of(MessageId.of(1), Methods.SERVER_DISCOVER, "{}")));

                assertThat(server.heard()).hasSize(1);
            }
        }

        @Test
        void streamWithoutAnEndpointEventTimesOut() throws Exception {
            var clock = new FakeTimekeeper();
            try (var server = new RawHttpServer(talk -> {
                        for (var request = talk.next(); request.isPresent(); request = talk.next()) {
                            talk.write(request.get().method().equals("GET") ? stream() : bare(405, ""));
                        }
                    });
                    var client = Client.of(server, Map.of("connect-timeout", "10s"), clock)) {
                var out = client.send(INITIALIZE);
                Client.awaitRequests(server, 2);

                assertThat(client.failure(out, clock).status()).hasValue(405);
            }
        }
    }

    @Nested
    class AsConfigured {
        private final HttpTestEnvironment surroundings = new HttpTestEnvironment();
        private final RecordingReceiver receiver = new RecordingReceiver();

        @AfterEach
        void end() {
            surroundings.close();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "http://evil.example/messages?sessionId=",
                    "https://127.0.0.1/messages?sessionId=",
                    "//evil.example/messages?sessionId=",
                    "http://user@127.0.0.1/?sessionId=",
                    "file:///etc/passwd?"
                })
        void endpointOfAnotherOriginIsRejected(String endpoint) throws Exception {
            try (var server = new ScriptSseServer(new EchoScript(), endpoint);
                    var transport = to(server.url())) {
                assertThatThrownBy(() -> transport.open(receiver, surroundings.within(Duration.ofSeconds(10))))
                        .isInstanceOf(TransportException.class)
                        .hasMessageContaining("same origin");
                assertThat(server.heard()).hasSize(1);
            }
        }

        @Test
        void missingStreamIsReportedWithItsStatus() throws Exception {
            try (var server = RawHttpServer.answering(any -> bare(404, ""));
                    var transport = to(server.url())) {
                assertThatThrownBy(() -> transport.open(receiver, surroundings.within(Duration.ofSeconds(10))))
                        .isInstanceOf(TransportException.class)
                        .hasMessageContaining("404");
            }
        }

        @Test
        void silentServerTimesOut() throws Exception {
            try (var server = new RawHttpServer(talk -> {
                        talk.next();
                        talk.awaitEnd();
                    });
                    var transport = to(server.url())) {
                assertThatThrownBy(() -> transport.open(receiver, surroundings.within(Duration.ofMillis(300))))
                        .isInstanceOf(TransportException.class)
                        .satisfies(failed -> assertThat(((TransportException) failed).delivery())
                                .isEqualTo(Delivery.NOT_SENT));
            }
        }

        @Test
        void transportWorksWithOurListener() throws Exception {
            var acceptor = RecordingAcceptor.takingAll();
            try (var listener = new HttpListenerProvider()
                            .create(Settings.of(Map.of("port", 0)), surroundings.environment());
                    var transport = transportTo(listener, acceptor)) {
                transport.open(receiver, surroundings.within(Duration.ofSeconds(10)));
                var out = Outgoing.of(
                        INITIALIZE, ProtocolVersion.V2024_11_05, surroundings.within(Duration.ofSeconds(10)));
                transport.send(out);

                acceptor.awaitMessage().end(Ending.answer(Response.result(MessageId.of(1), "{\"x\":1}")));
                assertThat(receiver.awaitResponse(MessageId.of(1)).json()).contains("\"x\":1");
                acceptor.await(Exchange.Kind.LISTEN).offer(Notification.of(Methods.TOOLS_LIST_CHANGED));
                Eventually.holds("the notification", () -> receiver.messages().size() == 2);
            }
            // The session and, with the listener, what stands for all of Streamable HTTP.
            Eventually.holds("the end of the session", () -> acceptor.closings() == 2);
        }

        @Test
        void messageRightAfterTheEndpointEventCanBeAnswered() throws Exception {
            var ping = "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}\n\n";
            try (var server = streaming("event: endpoint\ndata: /messages\n\n" + ping);
                    var transport = to(server.url())) {
                var timeout = surroundings.within(Duration.ofSeconds(10));

                transport.open(new AnsweringReceiver(transport, timeout), timeout);

                Client.awaitRequests(server, 2);
                assertThat(server.heard().get(1).body()).contains("\"id\":9", "\"result\"");
            }
        }

        @Test
        @DisplayName("F6: a half-open stream that does not answer a ping is closed")
        void deadStreamEndsTheSession() throws Exception {
            var clock = new FakeTimekeeper();
            try (var timed = HttpTestEnvironment.timedBy(clock);
                    var server = streaming("event: endpoint\ndata: /messages\n\n");
                    var transport = to(server.url(), "5s", "20s", timed)) {
                transport.open(receiver, timed.within(Duration.ofSeconds(10)));

                Eventually.holds("the end of the session", () -> {
                    clock.advance(Duration.ofMillis(500));
                    return !receiver.closings().isEmpty() && server.heard().size() > 1;
                });
                assertThat(receiver.awaitClosed().reason()).contains("'stream-timeout'", "did not answer a ping");
                assertThat(server.heard().get(1).body()).contains("\"ping\"");
            }
        }

        @Test
        void silentStreamThatAnswersPingsIsKept() throws Exception {
            try (var server = new ScriptSseServer(new EchoScript());
                    var transport = to(server.url(), "50ms", "20s", surroundings)) {
                transport.open(receiver, surroundings.within(Duration.ofSeconds(10)));

                Eventually.holds("three pings", () -> server.heard().size() >= 4);
                assertThat(receiver.closings()).isEmpty();
                assertThat(receiver.messages()).isEmpty();
            }
        }

        /** Sends this on the stream and nothing more, and accepts every message. */
        private RawHttpServer streaming(String events) throws IOException {
            return new RawHttpServer(talk -> {
                for (var request = talk.next(); request.isPresent(); request = talk.next()) {
                    talk.write(request.get().method().equals("GET") ? stream() + events : bare(202, ""));
                }
            });
        }

        private static Transport to(URI url, String silence, String timeout, HttpTestEnvironment surroundings) {
            var settings =
                    Settings.of(Map.of("url", url.toString(), "stream-timeout", silence, "connect-timeout", timeout));
            return new SseTransportProvider().create(settings, surroundings.environment());
        }

        private Transport transportTo(Listener listener, RecordingAcceptor acceptor) {
            listener.start(acceptor);
            return to(listener.address().resolve("/sse"));
        }

        private Transport to(URI url) {
            return new SseTransportProvider().create(HttpTransportSettings.of(url), surroundings.environment());
        }
    }

    /** Answers a request of the server while it is being delivered. */
    private static final class AnsweringReceiver implements Transport.Receiver {
        private final Transport transport;
        private final Deadline timeout;

        private AnsweringReceiver(Transport transport, Deadline timeout) {
            this.transport = transport;
            this.timeout = timeout;
        }

        @Override
        public void message(Message message, Optional<Outgoing> stream) {
            var answer = Response.result(((Request) message).id(), "{}");
            transport.send(Outgoing.of(answer, ProtocolVersion.V2024_11_05, timeout));
        }

        @Override
        public void writing(Outgoing out) {}

        @Override
        public void unreadable(ProtocolException why, Optional<MessageId> answerTo) {}

        @Override
        public void failed(Outgoing out, RequestFailure why) {}

        @Override
        public void closed(Closed why) {}
    }
}
