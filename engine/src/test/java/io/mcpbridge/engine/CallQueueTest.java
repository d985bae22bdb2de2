package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** As many calls wait for a server as the limit {@code queue} says, however they wait, and no more. */
class CallQueueTest {
    private static final int LIMIT = 3;

    private final OneServer bench = OneServer.queueing(LIMIT);

    @AfterEach
    void close() {
        bench.close();
    }

    @Nested
    class WhileASessionOpens {
        private final List<RecordingReply> queued = new ArrayList<>();

        WhileASessionOpens() {
            bench.server.holdHandshakes();
            for (int i = 0; i < LIMIT; i++) {
                queued.add(bench.send());
            }
        }

        @Test
        void callBeyondTheQueueLimitIsRejectedDuringTheHandshake() {
            assertOverloaded(bench.send().awaitFailure());
            assertThat(queued).noneMatch(RecordingReply::isDone);
        }

        @Test
        void queuedCallsAreSentOnceTheSessionIsOpen() {
            Handshakes.accept(bench.connection());

            assertThat(bench.connection().requests()).hasSize(LIMIT);
            assertOverloaded(bench.send().awaitFailure());
        }

        @Test
        void failedHandshakeFreesAllPlacesInTheQueue() {
            bench.connection().end(Closed.disconnected("it is not there"));

            assertThat(queued).allMatch(RecordingReply::isDone);
            bench.time.advance(Duration.ofMinutes(1));
            assertAllWait(fillTheQueue());
        }
    }

    @Nested
    class WhileTheWriterIsBehind {
        private final List<Call> calls = new ArrayList<>();

        WhileTheWriterIsBehind() {
            for (int i = 0; i < LIMIT; i++) {
                calls.add(bench.toolCall());
                bench.send(calls.get(i));
            }
        }

        @Test
        void callBeyondTheQueueLimitIsRejected() {
            assertOverloaded(bench.send().awaitFailure());
            assertThat(bench.connection().requests()).hasSize(LIMIT);
        }

        @Test
        void writtenCallFreesItsPlaceInTheQueue() {
            bench.connection().write(bench.connection().requests().get(0));

            assertThat(bench.send().isDone()).isFalse();
            assertOverloaded(bench.send().awaitFailure());
        }

        @Test
        void answerToAWrittenCallFreesNoSecondPlace() {
            Outgoing first = bench.connection().requests().get(0);
            bench.connection().answer(first, "{}");

            assertThat(bench.send().isDone()).isFalse();
            assertOverloaded(bench.send().awaitFailure());
        }

        @Test
        void cancelledCallFreesItsPlaceInTheQueue() {
            calls.get(1).cancellation().cancel(CancelReason.CLIENT_CANCELLED);

            assertThat(bench.send().isDone()).isFalse();
            assertOverloaded(bench.send().awaitFailure());
        }

        @Test
        void endOfTheConnectionFreesAllPlaces() {
            calls.forEach(call -> call.cancellation().cancel(CancelReason.CLIENT_CANCELLED));
            bench.connection().end(Closed.disconnected("it has gone"));
            bench.time.advance(Duration.ofMinutes(1));

            assertAllWait(fillTheQueue());
        }
    }

    private List<RecordingReply> fillTheQueue() {
        var replies = new ArrayList<RecordingReply>();
        for (int i = 0; i < LIMIT; i++) {
            replies.add(bench.send());
        }
        return replies;
    }

    private void assertAllWait(List<RecordingReply> replies) {
        assertThat(replies).noneMatch(RecordingReply::isDone);
        assertOverloaded(bench.send().awaitFailure());
    }

    private static void assertOverloaded(Failure failure) {
        assertThat(failure.code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(failure.message())
                .isEqualTo(
                        "3 calls wait for server 'tools' already, which is the limit 'limits.queue'; try again later");
    }
}
