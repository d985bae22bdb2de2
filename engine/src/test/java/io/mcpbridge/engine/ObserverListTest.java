package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.AttemptTracer;
import io.mcpbridge.call.AttemptTracer.Additions;
import io.mcpbridge.call.AttemptTracer.Sending;
import io.mcpbridge.call.CallTracer.CallAttempt;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.CallObserver.EndedSession;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.RequestFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Observers of calls receive what belongs to no call: requests of the bridge's own, and ends of sessions. */
class ObserverListTest {
    private final List<String> heard = new ArrayList<>();
    private final List<EndedSession> ended = new ArrayList<>();
    private final OneServer bench = OneServer.watchedBy(new Recording());

    @AfterEach
    void close() {
        bench.close();
    }

    @Nested
    class OwnRequests {

        @Test
        void ownRequestsAreObservedWithTheNameOfTheServer() {
            bench.send();

            assertThat(heard)
                    .startsWith(
                            "asked server/discover of tools",
                            "server/discover is sent in 2026-07-28",
                            "server/discover ended: answered",
                            "asked initialize of tools",
                            "initialize is sent in 2025-11-25",
                            "initialize ended: answered");
        }

        @Test
        void metaAddedByAnObserverIsSentWithOwnRequests() {
            bench.send();

            var sent = (Request) bench.connection().handshake().message();
            assertThat(sent.metaText("traceparent")).contains("00-1");
        }

        @Test
        void ownRequestIsObservedEachTimeItIsSent() {
            bench.send();
            var first = bench.connection();
            heard.clear();
            var why = Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "404: no such session")
                    .withDelivery(Delivery.REJECTED);

            var own = bench.send(bench.call("tools/list", "{}", OneServer.client("")));
            first.fail(first.last(), RequestFailure.of(RequestFailure.Kind.SESSION_LOST, why));
            bench.connection().answer(bench.connection().last(), "{\"tools\":[]}");

            assertThat(own.awaitAnswer().isError()).isFalse();
            assertThat(heard.stream().filter(line -> line.contains("tools/list")))
                    .containsExactly(
                            "asked tools/list of tools",
                            "tools/list is sent in 2025-11-25",
                            "tools/list ended: failed",
                            "asked tools/list of tools",
                            "tools/list is sent in 2025-11-25",
                            "tools/list ended: answered");
        }
    }

    @Nested
    class Sessions {

        @Test
        void brokenServerSessionIsReportedAsFailed() {
            bench.send();
            bench.time.advance(Duration.ofSeconds(7));

            bench.connection().end(Closed.exited(1, ""));

            assertThat(ended).singleElement().satisfies(session -> {
                assertThat(session.server()).contains("tools");
                assertThat(session.duration()).isEqualTo(Duration.ofSeconds(7));
                assertThat(session.version().text()).isEqualTo("2025-11-25");
                assertThat(session.failure()).map(Failure::code).contains(ErrorCode.PROVIDER_CRASHED);
            });
        }

        @Test
        void sessionClosedByTheBridgeIsNotReportedAsFailed() {
            bench.send();

            bench.close();

            assertThat(ended)
                    .singleElement()
                    .satisfies(session -> assertThat(session.failure()).isEmpty());
        }

        @Test
        void sessionLostByTheServerIsReportedAsFailed() {
            bench.send();
            var first = bench.connection();
            var why = Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "404: no such session")
                    .withDelivery(Delivery.REJECTED);

            first.fail(first.last(), RequestFailure.of(RequestFailure.Kind.SESSION_LOST, why));

            assertThat(ended)
                    .singleElement()
                    .satisfies(session -> assertThat(session.failure()).isPresent());
        }

        @Test
        void failedHandshakeIsNotReportedAsASession() {
            bench.server.answerNothing();
            bench.send();

            bench.connection().end(Closed.exited(1, ""));

            assertThat(ended).isEmpty();
        }

        @Test
        void modernHttpConnectionIsNotReportedAsASession() {
            bench.server.modern();
            bench.server.streamPerRequest();
            bench.send();

            bench.connection().end(Closed.disconnected("gone"));

            assertThat(ended).isEmpty();
        }

        @Test
        void endOfAClientSessionIsReported() {
            var clients = new ClientBench();
            clients.clients.onSessionEnded(description -> ended.add(description.get()));
            var stream = clients.greeted();
            clients.stream();
            clients.time.advance(Duration.ofSeconds(3));

            stream.closed();
            clients.clients.close(CancelReason.SHUTTING_DOWN);

            assertThat(ended).singleElement().satisfies(session -> {
                assertThat(session.server()).isEmpty();
                assertThat(session.network()).isEqualTo("unix");
                assertThat(session.version().text()).isEqualTo("2025-06-18");
                assertThat(session.duration()).isEqualTo(Duration.ofSeconds(3));
                assertThat(session.failure()).isEmpty();
            });
        }

        @Test
        void lostClientSessionIsReportedAsFailed() {
            var clients = ClientBench.pinging();
            clients.clients.onSessionEnded(description -> ended.add(description.get()));
            var stream = clients.stream();
            ClientBench.listen(stream);
            ClientBench.say(stream, ClientBench.INITIALIZE);

            clients.time.advance(ClientBench.KEEP_ALIVE.multipliedBy(3));

            assertThat(ended)
                    .singleElement()
                    .satisfies(session ->
                            assertThat(session.failure()).map(Failure::code).contains(ErrorCode.PROVIDER_TIMEOUT));
        }
    }

    private final class Recording implements CallObserver {

        @Override
        public AttemptTracer asked(CallAttempt own, TraceParent cause) {
            var method = own.request().method();
            heard.add("asked %s of %s".formatted(method, own.server()));
            return new RecordingAttempt(method);
        }

        @Override
        public void sessionEnded(EndedSession session) {
            ended.add(session);
        }
    }

    private final class RecordingAttempt implements AttemptTracer {
        private final String method;

        private RecordingAttempt(String method) {
            this.method = method;
        }

        @Override
        public Additions sending(Sending sending) {
            heard.add("%s is sent in %s".formatted(method, sending.version()));
            return Additions.of(Map.of("traceparent", "00-1"), Map.of());
        }

        @Override
        public void ended(Outcome outcome) {
            heard.add(method + " ended: " + (outcome instanceof Outcome.Answered ? "answered" : "failed"));
        }
    }
}
