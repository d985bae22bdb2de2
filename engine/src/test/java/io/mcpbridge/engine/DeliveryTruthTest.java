package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.spi.RequestFailure.Kind;
import io.mcpbridge.testkit.RecordingReply;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A failure says how far its call got, and never claims less than may have happened. */
class DeliveryTruthTest {
    private OneServer bench = OneServer.reconnecting();

    @AfterEach
    void close() {
        bench.close();
    }

    @Nested
    class WhileTheSessionOpens {
        @Test
        void queuedCallIsSentOnceTheSessionIsReady() {
            bench.server.holdHandshakes();
            var reply = bench.send();

            assertThat(bench.connection().sent()).isEmpty();
            handshake();

            assertThat(bench.connection().requests()).hasSize(1);
            assertThat(reply.isDone()).isFalse();
        }

        @Test
        void cancelledQueuedCallIsNeverSent() {
            bench.server.holdHandshakes();
            var call = bench.toolCall();
            var reply = bench.send(call);

            call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
            handshake();

            assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.CANCELLED);
            assertThat(reply.outcomes()).hasSize(1);
            assertThat(bench.connection().requests()).isEmpty();
        }

        @Test
        void unreachableServerFailsTheCallAsNotSent() {
            bench.server.unreachable(TransportException.unreachable("held:here", new ConnectException("refused")));

            var failure = bench.send().awaitFailure();

            assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(failure.retryable()).isTrue();
            assertThat(failure.server()).isEqualTo(OneServer.NAME);
        }

        @Test
        void closingTheUpstreamFailsQueuedCalls() {
            bench.server.holdHandshakes();
            var reply = bench.send();

            bench.upstream().close();

            assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(reply.awaitFailure().retryable()).isFalse();
            assertThat(bench.connection().isClosed()).isTrue();
        }

        @Test
        void overloadErrorNamesTheQueueLimit() {
            bench.server.holdHandshakes();
            var queued = new ArrayList<RecordingReply>();
            for (int i = 0; i < 1_024; i++) {
                queued.add(bench.send());
            }

            var failure = bench.send().awaitFailure();

            assertThat(queued).noneMatch(RecordingReply::isDone);
            assertThat(failure.code()).isEqualTo(ErrorCode.OVERLOADED);
            assertThat(failure.message()).contains("1024", "the limit 'limits.queue'");
        }

        private void handshake() {
            var connection = bench.connection();
            Handshakes.accept(connection);
        }
    }

    @Nested
    class OverASession {
        @Test
        void cancelledUnwrittenCallIsNotSent() {
            var call = bench.toolCall();
            var reply = bench.send(call);

            call.cancellation().cancel(CancelReason.TIMED_OUT);

            assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
        }

        @Test
        void cancelledWrittenCallHasUnknownDelivery() {
            var call = bench.toolCall();
            var reply = bench.send(call);
            bench.connection().write(bench.connection().last());

            call.cancellation().cancel(CancelReason.TIMED_OUT);

            assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.UNKNOWN);
            assertThat(bench.connection().abandoned())
                    .containsExactly(bench.connection().last());
        }

        @Test
        void callCancelledBeforehandIsNeverPassedToTheTransport() {
            bench.send();
            var call = bench.toolCall();
            call.cancellation().cancel(CancelReason.CLIENT_GONE);
            var reply = bench.send(call);

            assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(bench.connection().requests()).hasSize(1);
            assertThat(bench.connection().abandoned()).isEmpty();
        }

        @Test
        void endOfTheConnectionLeavesWrittenCallsUnknownAndOthersNotSent() {
            var written = bench.send();
            bench.connection().write(bench.connection().last());
            var kept = bench.send();

            bench.connection().end(Closed.disconnected("the network broke"));

            assertThat(written.awaitFailure().delivery()).isEqualTo(Delivery.UNKNOWN);
            assertThat(kept.awaitFailure().delivery()).isEqualTo(Delivery.NOT_SENT);
        }

        @Test
        void failureAfterAnExitHasTheExitCodeAndStderrOfTheChild() {
            var reply = bench.send();
            bench.connection().write(bench.connection().last());

            bench.connection().end(Closed.exited(3, "no such file"));

            var failure = reply.awaitFailure();
            assertThat(failure.code()).isEqualTo(ErrorCode.PROVIDER_CRASHED);
            assertThat(failure.message()).contains("exit code 3", "no such file");
            assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
        }

        @Test
        void transportCannotReportAWrittenCallAsNotSent() {
            var reply = bench.send();
            var out = bench.connection().last();
            bench.connection().write(out);
            var claim = Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "reset");

            bench.connection().fail(out, RequestFailure.of(Kind.REQUEST_FAILED, claim));

            assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.UNKNOWN);
        }

        @Test
        void malformedAnswerFailsItsCallAtOnce() {
            var reply = bench.send();
            var out = bench.connection().last();
            bench.connection().write(out);
            var json = "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{},\"error\":{\"code\":1,\"message\":\"x\"}}";

            Handshakes.garbage(bench.connection(), json.formatted(Handshakes.id(out)));

            assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.UPSTREAM_INVALID);
            assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.ANSWERED);
            assertThat(reply.awaitFailure().message()).contains(OneServer.NAME, "broke the protocol");
        }

        @Test
        void answerWithNeitherResultNorErrorFailsItsCallAtOnce() {
            var reply = bench.send();
            var out = bench.connection().last();

            Handshakes.garbage(bench.connection(), "{\"jsonrpc\":\"2.0\",\"id\":%s}".formatted(Handshakes.id(out)));

            assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.UPSTREAM_INVALID);
        }
    }

    @Nested
    class WhenTheServerForgotTheSession {
        private final Failure forgotten = Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "404: no such session")
                .withDelivery(Delivery.REJECTED);
        private final RequestFailure lost = RequestFailure.of(Kind.SESSION_LOST, forgotten);

        @Test
        @DisplayName("F16: the rejected call is sent once more over a new session")
        void rejectedCallIsSentAgain() {
            var reply = bench.send();
            var first = bench.connection();
            first.write(first.last());

            first.fail(first.last(), lost);
            bench.connection().answer(bench.connection().last(), "{\"content\":[]}");

            assertThat(bench.connection()).isNotSameAs(first);
            assertThat(reply.awaitAnswer().isError()).isFalse();
            assertThat(reply.outcomes()).hasSize(1);
        }

        @Test
        void callThatMayHaveRunIsNotSentAgain() {
            var reply = bench.send();
            var first = bench.connection();
            first.write(first.last());
            var unknown = RequestFailure.of(Kind.SESSION_LOST, forgotten.withDelivery(Delivery.UNKNOWN));

            first.fail(first.last(), unknown);

            assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.UNKNOWN);
            assertThat(bench.server.connections()).containsExactly(first);
        }

        @Test
        void writtenCallReportedAsUnsentIsNotSentAgain() {
            var reply = bench.send();
            var first = bench.connection();
            first.write(first.last());

            first.fail(first.last(), RequestFailure.of(Kind.SESSION_LOST, forgotten.withDelivery(Delivery.NOT_SENT)));

            assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.UNKNOWN);
            assertThat(bench.server.connections()).containsExactly(first);
        }

        @Test
        @DisplayName("F16: other calls under way have an unknown delivery and are not resent")
        void otherPendingCallsAreUnknownAndNotResent() {
            var told = bench.send();
            var first = bench.connection();
            first.write(first.last());
            var out = first.last();
            var other = bench.send();
            first.write(first.last());

            first.fail(out, lost);

            assertThat(other.awaitFailure().delivery()).isEqualTo(Delivery.UNKNOWN);
            assertThat(told.isDone()).isFalse();
            assertThat(bench.connection().requests()).hasSize(1);
            assertThat(first.isClosed()).isTrue();
        }

        @Test
        @DisplayName("F16: a second session loss fails the call")
        void secondSessionLossFailsTheCall() {
            var reply = bench.send();
            bench.connection().fail(bench.connection().last(), lost);

            bench.connection().fail(bench.connection().last(), lost);

            assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.REJECTED);
            assertThat(bench.server.connections()).hasSize(2);
        }

        @Test
        void singleConnectionIsNotReopened() {
            try (var single = OneServer.once()) {
                var reply = single.send();
                single.connection().fail(single.connection().last(), lost);

                assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.REJECTED);
                assertThat(single.send().awaitFailure().message()).contains("is over", "open another one");
                assertThat(single.server.connections()).hasSize(1);
            }
        }
    }

    @Nested
    class AfterAFailedTry {
        @Test
        void callsFailFastWithTheReason() {
            bench.server.unreachable(TransportException.unreachable("held:here", new ConnectException("refused")));
            bench.send();
            var tried = bench.server.made().size();

            var failure = bench.send().awaitFailure();

            assertThat(bench.server.made()).hasSize(tried);
            assertThat(failure.code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
            assertThat(failure.message()).contains("1 time(s)", "refused", "may connect again in");
            assertThat(failure.retryAfter()).isPresent();
        }

        @Test
        void restartDelayGrowsIfTheServerEndsAfterEachHandshake() {
            bench.close();
            bench = OneServer.with(Map.of("reconnect-attempts", 0)); // only calls reconnect, so only their tries count
            var pauses = new ArrayList<Duration>();
            for (int i = 0; i < 6; i++) {
                bench.send();
                bench.connection().end(Closed.exited(1, "cannot start"));
                var failure = bench.send().awaitFailure();
                pauses.add(failure.retryAfter().orElseThrow());
                assertThat(failure.message()).contains("exit code 1", "%d time(s)".formatted(i + 1));
                bench.time.advance(pauses.get(i));
            }

            assertThat(pauses.get(0)).isBetween(Duration.ofMillis(250), Duration.ofMillis(500));
            assertThat(pauses.get(5)).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(16));
            assertThat(bench.server.connections()).hasSize(6);
        }

        @Test
        void serverThatAnsweredIsReconnectedAfterASecond() {
            bench.send();
            bench.connection().answer(bench.connection().last(), "{}");
            bench.connection().end(Closed.exited(1, ""));

            assertReconnectedAfterASecond();
        }

        @Test
        void serverThatRanForAWhileIsReconnectedAfterASecond() {
            bench.send();
            bench.time.advance(Duration.ofSeconds(5));
            bench.connection().end(Closed.exited(1, ""));

            assertReconnectedAfterASecond();
        }

        private void assertReconnectedAfterASecond() {
            assertThat(bench.send().awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
            bench.time.advance(Duration.ofSeconds(1));
            bench.send();
            assertThat(bench.server.connections()).hasSize(2);
        }

        @Test
        void nextCallAfterTheDelayConnectsAgain() {
            bench.server.unreachable(TransportException.unreachable("held:here", new ConnectException("refused")));
            bench.send();
            bench.server.reachable();
            bench.time.advance(Duration.ofSeconds(1));

            var reply = bench.send();
            bench.connection().answer(bench.connection().last(), "{}");

            assertThat(reply.awaitAnswer().isError()).isFalse();
        }
    }
}
