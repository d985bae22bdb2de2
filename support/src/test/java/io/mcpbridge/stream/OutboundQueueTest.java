package io.mcpbridge.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.ByteBudget;
import io.mcpbridge.spi.Exchange.Offer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutboundQueueTest {
    private static final int MAX = 1_000;

    private final ByteBudget budget = ByteBudget.of(10_000);
    private final List<String> ends = new ArrayList<>();

    @Test
    void messageIsWrittenAtOnceAsALine() {
        var sink = new NarrowSink();
        var queue = queue(sink);

        var offer = queue.offer(answer(1, 10));

        assertThat(offer).isEqualTo(Offer.SENT);
        assertThat(sink.text()).isEqualTo(answer(1, 10).json() + "\n");
        assertThat(queue.waitingBytes()).isZero();
        assertThat(budget.used()).isZero();
    }

    @Test
    void messageLongerThanAPieceIsWrittenWhole() {
        var sink = new NarrowSink();
        var queue = new OutboundQueue(sink, 1 << 20, ByteBudget.ofHeap(), ends::add);

        for (int extra = -1; extra <= 1; extra++) {
            queue.offer(ofLength(LineQueueWriter.PIECE + extra));
            queue.offer(ofLength(2 * LineQueueWriter.PIECE + extra));
        }

        assertThat(sink.lines())
                .extracting(String::length)
                .containsExactly(65_535, 131_071, 65_536, 131_072, 65_537, 131_073);
    }

    @Test
    void messagesThatDoNotFitWaitInOrderAndAreWrittenByteForByte() {
        var sink = NarrowSink.closed();
        var queue = queue(sink);
        assertThat(queue.offer(answer(1, 10))).isEqualTo(Offer.SENT);
        assertThat(queue.offer(answer(2, 10))).isEqualTo(Offer.QUEUED);

        for (int i = 0; i < 200; i++) {
            sink.allow(1);
            queue.flush();
        }

        assertThat(sink.lines())
                .containsExactly(answer(1, 10).json(), answer(2, 10).json());
        assertThat(budget.used()).isZero();
    }

    @Test
    void fullQueueKeepsTheLatestProgressOfEachToken() {
        var sink = NarrowSink.closed();
        var queue = full(sink);
        queue.offer(progress("a", 1));
        queue.offer(progress("b", 1));
        fill(queue);

        assertThat(queue.offer(progress("a", 7))).isEqualTo(Offer.QUEUED);
        assertThat(queue.offer(progress("c", 1))).isEqualTo(Offer.FULL);

        openUp(sink, queue);
        assertThat(sink.text()).contains("\"a\",\"progress\":7").contains("\"b\",\"progress\":1");
        assertThat(sink.text()).doesNotContain("\"a\",\"progress\":1").doesNotContain("\"c\"");
    }

    @Test
    void fullQueueKeepsOneListChangedOfEachMethod() {
        var sink = NarrowSink.closed();
        var queue = full(sink);
        queue.offer(Notification.of(Methods.TOOLS_LIST_CHANGED));
        fill(queue);

        assertThat(queue.offer(Notification.of(Methods.TOOLS_LIST_CHANGED))).isEqualTo(Offer.QUEUED);

        openUp(sink, queue);
        assertThat(sink.lines())
                .filteredOn(line -> line.contains("list_changed"))
                .hasSize(1);
    }

    @Test
    void fullQueueDropsLogMessages() {
        var sink = NarrowSink.closed();
        var queue = full(sink);
        fill(queue);

        assertThat(queue.offer(log())).isEqualTo(Offer.FULL);
    }

    @Test
    void logMessagesAndSupersededProgressGiveWayToAnAnswer() {
        var sink = NarrowSink.closed();
        var queue = queue(sink);
        queue.offer(answer(1, 10));
        queue.offer(progress("a", 1));
        queue.offer(progress("a", 2));
        Offer offer;
        do {
            offer = queue.offer(log());
        } while (offer != Offer.FULL);

        assertThat(queue.offer(answer(2, 400))).isEqualTo(Offer.QUEUED);

        openUp(sink, queue);
        assertThat(sink.lines())
                .containsExactly(
                        answer(1, 10).json(),
                        progress("a", 2).json(),
                        answer(2, 400).json());
        assertThat(budget.used()).isZero();
    }

    @Test
    void answerIsAcceptedAtTheLimitAndRejectedOneByteBeyond() {
        var sink = NarrowSink.closed();

        assertThat(queue(sink).offer(ofLength(MAX - 1))).isEqualTo(Offer.SENT);
        assertThat(queue(sink).offer(ofLength(MAX))).isEqualTo(Offer.FULL);
    }

    @Test
    void sharedBudgetBoundsAllQueuesTogether() {
        var shared = ByteBudget.of(1_500);
        var one = new OutboundQueue(NarrowSink.closed(), MAX, shared, ends::add);
        var other = new OutboundQueue(NarrowSink.closed(), MAX, shared, ends::add);
        assertThat(one.offer(ofLength(900))).isEqualTo(Offer.SENT);

        assertThat(other.offer(ofLength(900))).isEqualTo(Offer.FULL);
        one.close();

        assertThat(other.offer(ofLength(900))).isEqualTo(Offer.SENT);
        assertThat(shared.used()).isEqualTo(901);
    }

    @Test
    void finishNotifiesTheListenerWhenEverythingIsWritten() {
        var sink = NarrowSink.closed();
        var queue = queue(sink);
        queue.offer(answer(1, 10));

        queue.finish();
        assertThat(ends).isEmpty();
        openUp(sink, queue);

        assertThat(ends).containsExactly("every response is written");
        assertThat(queue.offer(answer(2, 10))).isEqualTo(Offer.FULL);
    }

    @Test
    void finishOfAnEmptyQueueNotifiesTheListenerAtOnce() {
        queue(new NarrowSink()).finish();

        assertThat(ends).containsExactly("every response is written");
    }

    @Test
    void lateReportOfAnEarlierMessageDoesNotEndTheConnectionBeforeTheLastOne() {
        var sink = NarrowSink.closed();
        var queue = queue(sink);
        queue.offer(answer(1, 10));
        queue.finish();

        queue.drained();
        assertThat(ends).isEmpty();
        openUp(sink, queue);

        assertThat(ends).containsExactly("every response is written");
    }

    @Test
    void brokenSocketEndsTheConnection() {
        var sink = new NarrowSink();
        sink.breakNow();

        queue(sink).offer(answer(1, 10));

        assertThat(ends).containsExactly("writing failed: Broken pipe");
    }

    @Test
    void flushWithoutAnEventOfTheSocketDoesNothing() {
        var sink = new NarrowSink();

        queue(sink).flush();

        assertThat(sink.text()).isEmpty();
    }

    private OutboundQueue queue(NarrowSink sink) {
        return new OutboundQueue(sink, MAX, budget, ends::add);
    }

    /** A queue in which one message is being written, so that later messages wait. */
    private OutboundQueue full(NarrowSink sink) {
        var queue = queue(sink);
        queue.offer(answer(0, 10));
        return queue;
    }

    private static void fill(OutboundQueue queue) {
        for (int length = 400; length >= answer(9, 0).length(); length--) {
            Offer offer;
            do {
                offer = queue.offer(ofLength(length));
            } while (offer != Offer.FULL);
        }
    }

    private static void openUp(NarrowSink sink, OutboundQueue queue) {
        sink.allow(Long.MAX_VALUE);
        queue.flush();
    }

    private static Message answer(int id, int length) {
        return Response.result(MessageId.of(id), "\"" + "x".repeat(length) + "\"");
    }

    private static Message ofLength(int length) {
        return answer(9, length - answer(9, 0).length());
    }

    private static Message progress(String token, int value) {
        return Notification.of(Methods.PROGRESS, "{\"progressToken\":\"%s\",\"progress\":%d}".formatted(token, value));
    }

    private static Message log() {
        return Notification.of(Methods.LOG_MESSAGE, "{\"level\":\"info\",\"data\":\"words\"}");
    }
}
