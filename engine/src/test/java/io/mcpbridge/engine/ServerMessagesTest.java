package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A message of a server reaches only the client whose call it belongs to. */
class ServerMessagesTest {
    private final OneServer bench = OneServer.reconnecting();

    @AfterEach
    void close() {
        bench.close();
    }

    @Nested
    class Answers {
        @Test
        void requestIdsAreGeneratedAndNeverReused() {
            bench.send();
            var first = bench.connection().last();
            bench.connection().answer(first, "{}");
            bench.send();

            assertThat(Handshakes.id(first)).isNotEqualTo("\"mine\"");
            assertThat(Handshakes.id(bench.connection().last())).isNotEqualTo(Handshakes.id(first));
        }

        @Test
        void answerWithAnUnknownIdIsDroppedAndCounted() {
            var reply = bench.send();

            bench.connection().receive(Response.result(MessageId.of(999), "{}"));
            bench.connection().receive(Response.result(MessageId.of("mine"), "{}"));

            assertThat(reply.isDone()).isFalse();
            assertThat(bench.upstream().status().dropped()).isEqualTo(2);
            assertThat(bench.log.lines().stream().filter(line -> line.contains("dropped")))
                    .hasSize(1);
        }

        @Test
        void secondAnswerIsDropped() {
            var reply = bench.send();
            var out = bench.connection().last();

            bench.connection().answer(out, "{\"a\":1}");
            bench.connection().answer(out, "{\"a\":2}");

            assertThat(reply.outcomes()).hasSize(1);
            assertThat(reply.awaitAnswer().json()).contains("\"a\":1");
            assertThat(bench.upstream().status().dropped()).isEqualTo(1);
        }

        @Test
        void answerAfterACancellationIsDropped() {
            var call = bench.toolCall();
            var reply = bench.send(call);
            var out = bench.connection().last();
            call.cancellation().cancel(CancelReason.TIMED_OUT);

            bench.connection().answer(out, "{}");

            assertThat(reply.outcomes()).hasSize(1);
            assertThat(reply.awaitFailure().message()).contains("timed out");
        }
    }

    @Nested
    class Progress {
        @Test
        void progressReachesTheCallThatRequestedIt() {
            var asked = bench.send(withToken("\"tok\"", "alice"));
            var out = bench.connection().last();
            var other = bench.send(withToken("\"tok\"", "bob"));

            bench.connection().receive(progress(Handshakes.id(out), 1));

            assertThat(asked.events()).hasSize(1);
            assertThat(other.events()).isEmpty();
        }

        @Test
        void progressTokenIsReplacedOnTheWire() {
            bench.send(withToken("\"tok\"", "alice"));

            var out = bench.connection().last();

            assertThat(out.message().json()).contains("\"progressToken\":" + Handshakes.id(out));
            assertThat(out.message().json()).doesNotContain("tok\"");
        }

        @Test
        void progressWithAnUnknownTokenOrAfterTheAnswerIsDropped() {
            var reply = bench.send(withToken("5", "alice"));
            var out = bench.connection().last();

            bench.connection().receive(progress("99", 1));
            bench.connection().receive(progress("\"tok\"", 1));
            bench.connection().answer(out, "{}");
            bench.connection().receive(progress(Handshakes.id(out), 2));

            assertThat(reply.events()).isEmpty();
            assertThat(bench.upstream().status().dropped()).isEqualTo(3);
        }

        @Test
        void progressAfterACancellationIsIgnored() {
            var call = withToken("5", "alice");
            var reply = bench.send(call);
            var out = bench.connection().last();
            bench.connection().write(out);
            call.cancellation().cancel(CancelReason.TIMED_OUT);

            bench.connection().receive(progress(Handshakes.id(out), 1));

            assertThat(reply.events()).isEmpty();
            assertThat(bench.upstream().status().dropped()).isZero();
        }

        @Test
        void progressThatWasNotRequestedIsDropped() {
            var reply = bench.send();

            bench.connection().receive(progress(Handshakes.id(bench.connection().last()), 1));

            assertThat(reply.events()).isEmpty();
        }

        private Call withToken(String token, String session) {
            var params = "{\"name\":\"echo\",\"_meta\":{\"progressToken\":%s}}".formatted(token);
            return bench.call(Methods.TOOLS_CALL, params, OneServer.client(session));
        }

        private Notification progress(String token, int value) {
            var params = "{\"progressToken\":%s,\"progress\":%d}".formatted(token, value);
            return Notification.of(Methods.PROGRESS, params);
        }
    }

    @Nested
    class LogMessages {
        private final Notification line =
                Notification.of(Methods.LOG_MESSAGE, "{\"level\":\"info\",\"data\":\"secret of alice\"}");

        @Test
        void logMessagesReachTheOnlyClientInFlight() {
            var reply = bench.send();

            bench.connection().receive(line);

            assertThat(reply.events()).containsExactly(line);
        }

        @Test
        void logMessagesReachNoClientWhileTwoAreInFlight() {
            var alice = bench.send();
            var bob = bench.send(bench.call(Methods.TOOLS_CALL, "{\"name\":\"x\"}", OneServer.client("bob")));

            bench.connection().receive(line);

            assertThat(alice.events()).isEmpty();
            assertThat(bob.events()).isEmpty();
            assertThat(bench.upstream().status().dropped()).isEqualTo(1);
        }

        @Test
        void logMessagesReachNoOtherClientAfterACancelledCall() {
            cancelledByAlice();
            var bob = bench.send(callOf("bob"));

            bench.connection().receive(line);

            assertThat(bob.events()).isEmpty();
        }

        @Test
        void logMessagesReachTheOnlyClientOnceTheCancelledCallIsAnswered() {
            var withdrawn = cancelledByAlice();
            var bob = bench.send(callOf("bob"));

            bench.connection().answer(withdrawn, "{}");
            bench.connection().receive(line);

            assertThat(bob.events()).containsExactly(line);
            assertThat(bench.upstream().status().dropped()).isZero();
        }

        @Test
        void logMessagesReachTheOnlyClientAfterAnUnsentCancelledCall() {
            var withdrawn = bench.toolCall();
            bench.send(withdrawn);
            withdrawn.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
            var bob = bench.send(callOf("bob"));

            bench.connection().receive(line);

            assertThat(bob.events()).containsExactly(line);
        }

        @Test
        void logMessagesReachTheOnlyClientOneMinuteAfterACancelledCall() {
            cancelledByAlice();
            bench.time.advance(Duration.ofSeconds(60));
            var bob = bench.send(callOf("bob"));

            bench.connection().receive(line);

            assertThat(bob.events()).containsExactly(line);
        }

        private Outgoing cancelledByAlice() {
            var call = bench.toolCall();
            bench.send(call);
            var out = bench.connection().last();
            bench.connection().write(out);
            call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
            return out;
        }

        private Call callOf(String client) {
            return bench.call(Methods.TOOLS_CALL, "{\"name\":\"x\"}", OneServer.client(client));
        }

        @Test
        void ownRequestsDoNotAffectTheRoutingOfLogMessages() {
            var reply = bench.send();
            bench.route.tools().list(OneServer.client("bob"), new Lists());

            bench.connection().receive(line);

            assertThat(reply.events()).containsExactly(line);
        }
    }

    @Nested
    class Questions {
        private final Asked asked = new Asked();
        private final Request question =
                Request.of(MessageId.of("q"), Methods.ELICITATION_CREATE, "{\"message\":\"?\"}");

        @Test
        void pingOfTheServerIsAnswered() {
            bench.send();

            bench.connection().receive(Request.of(MessageId.of("p"), Methods.PING));

            assertThat(lastSent()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"result\":{}}");
        }

        @Test
        void serverRequestReachesTheClientInFlightAndItsAnswerReturns() {
            bench.send(asking("alice", asked));

            bench.connection().receive(question);
            asked.replies
                    .get(0)
                    .complete(Outcome.answered(Response.result(MessageId.of("bridge-1"), "{\"action\":\"accept\"}")));

            assertThat(lastSent()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"result\":{\"action\":\"accept\"}}");
        }

        @Test
        void serverRequestIsRejectedWhileTwoClientsAreInFlight() {
            bench.send(asking("alice", asked));
            bench.send(asking("bob", asked));

            bench.connection().receive(question);

            assertThat(asked.calls).isEmpty();
            assertThat(lastSent()).contains("\"id\":\"q\"", "-32601", "2 clients have calls under way here");
        }

        @Test
        void serverRequestDuringAnOwnRequestIsRejected() {
            var caller = asking("alice", asked).caller();
            bench.route.tools().list(caller, new Lists());

            bench.connection().receive(question);

            assertThat(asked.calls).isEmpty();
            assertThat(lastSent()).contains("\"id\":\"q\"", "-32601");
        }

        @Test
        void serverRequestIsCancelledWhenTheCallEnds() {
            bench.send(asking("alice", asked));
            bench.connection().receive(question);

            bench.connection().answer(bench.connection().last(), "{}");

            assertThat(asked.calls.get(0).cancellation().reason()).contains(CancelReason.CALL_ENDED);
        }

        @Test
        void serverRequestIsCancelledWhenTheCallIsCancelled() {
            var call = asking("alice", asked);
            bench.send(call);
            bench.connection().receive(question);

            call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);

            assertThat(asked.calls.get(0).cancellation().isCancelled()).isTrue();
        }

        @Test
        void serverRequestIsCancelledWhenTheConnectionEnds() {
            bench.send(asking("alice", asked));
            bench.connection().receive(question);

            bench.connection().end(Closed.disconnected("gone"));

            assertThat(asked.calls.get(0).cancellation().isCancelled()).isTrue();
        }

        @Test
        void serverRequestCancelledByTheServerIsNotAnswered() {
            bench.send(asking("alice", asked));
            bench.connection().receive(question);

            bench.connection().receive(Notification.of(Methods.CANCELLED, "{\"requestId\":\"q\"}"));

            assertThat(asked.calls.get(0).cancellation().isCancelled()).isTrue();
            assertThat(bench.connection().sent()).hasSize(1);
        }

        @Test
        void unknownServerRequestIsRejected() {
            bench.send();

            bench.connection().receive(Request.of(MessageId.of(3), "shell/execute"));

            assertThat(lastSent()).contains("\"id\":3", "-32601", "shell/execute");
        }

        @Test
        void serverRequestBeyondTheLimitPerClientIsRejected() {
            bench.send(asking("alice", asked));
            for (int i = 0; i <= 64; i++) {
                bench.connection().receive(Request.of(MessageId.of(i), Methods.ROOTS_LIST));
            }

            assertThat(asked.calls).hasSize(64);
            assertThat(lastSent()).contains("\"id\":64", "64 requests", "'limits.questions-per-client'");
        }

        @Test
        void serverRequestBeyondTheConfiguredLimitPerClientIsRejected() {
            try (var small = OneServer.asking(2, 1_024)) {
                small.send(asking("alice", asked));
                for (int i = 0; i <= 2; i++) {
                    small.connection().receive(Request.of(MessageId.of(i), Methods.ROOTS_LIST));
                }

                assertThat(asked.calls).hasSize(2);
                assertThat(small.connection().sent().get(1).message().json())
                        .contains("\"id\":2", "2 requests", "'limits.questions-per-client'");
            }
        }

        @Test
        void serverRequestBeyondTheConfiguredTotalLimitIsRejected() {
            try (var small = OneServer.asking(64, 1)) {
                small.send(asking("alice", asked));
                small.connection().receive(Request.of(MessageId.of(0), Methods.ROOTS_LIST));
                small.connection().receive(Request.of(MessageId.of(1), Methods.ROOTS_LIST));

                assertThat(asked.calls).hasSize(1);
                assertThat(small.connection().sent().get(1).message().json())
                        .contains("\"id\":1", "1 requests", "'limits.questions'");
            }
        }

        private String lastSent() {
            var sent = bench.connection().sent();
            return sent.get(sent.size() - 1).message().json();
        }

        private Call asking(String session, Asked client) {
            var caller = Caller.ANONYMOUS.withSession(session).withClient((call, reply) -> client.take(call, reply));
            return bench.call(Methods.TOOLS_CALL, "{\"name\":\"x\"}", caller);
        }
    }

    /** Records the requests to a client; cancelled ones end as a client session ends them. */
    private static final class Asked {
        private final List<Call> calls = new ArrayList<>();
        private final List<Reply> replies = new ArrayList<>();

        private void take(Call call, Reply reply) {
            calls.add(call);
            replies.add(reply);
            call.cancellation()
                    .onCancel(reason -> reply.complete(
                            Outcome.failed(io.mcpbridge.failure.Failure.of(reason.code(), "withdrawn"))));
        }
    }
}
