package io.mcpbridge.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.ByteBudget;
import io.mcpbridge.spi.Exchange.Offer;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class OutboxTest {
    private static final int MAX = 1_000;

    private final ByteBudget budget = ByteBudget.of(10_000);
    private final RecordingOwner owner = new RecordingOwner();

    @Test
    void messageIsWrittenAtOnceAsALine() {
        var wire = new NarrowWire();
        var outbox = outbox(wire);

        var offer = outbox.offer(answer(1, 10));

        assertThat(offer).isEqualTo(Offer.SENT);
        assertThat(wire.text()).isEqualTo(answer(1, 10).json() + "\n");
        assertThat(outbox.waitingBytes()).isZero();
        assertThat(budget.used()).isZero();
    }

    @Test
    void messageLongerThanAPieceIsWrittenWhole() {
        var wire = new NarrowWire();
        var outbox = new Outbox(wire, 1 << 20, ByteBudget.ofHeap(), owner);

        for (int extra = -1; extra <= 1; extra++) {
            outbox.offer(ofLength(LineWriter.PIECE + extra));
            outbox.offer(ofLength(2 * LineWriter.PIECE + extra));
        }

        assertThat(wire.lines())
                .extracting(String::length)
                .containsExactly(65_535, 131_071, 65_536, 131_072, 65_537, 131_073);
    }

    @Test
    void whatDoesNotFitWaitsInOrderAndGoesOnByteForByte() {
        var wire = NarrowWire.closed();
        var outbox = outbox(wire);
        assertThat(outbox.offer(answer(1, 10))).isEqualTo(Offer.SENT);
        assertThat(outbox.offer(answer(2, 10))).isEqualTo(Offer.QUEUED);

        for (int i = 0; i < 200; i++) {
            wire.allow(1);
            outbox.flush();
        }

        assertThat(wire.lines())
                .containsExactly(answer(1, 10).json(), answer(2, 10).json());
        assertThat(budget.used()).isZero();
    }

    @Test
    void fullOutboxKeepsTheLatestProgressOfEachToken() {
        var wire = NarrowWire.closed();
        var outbox = full(wire);
        outbox.offer(progress("a", 1));
        outbox.offer(progress("b", 1));
        fill(outbox);

        assertThat(outbox.offer(progress("a", 7))).isEqualTo(Offer.QUEUED);
        assertThat(outbox.offer(progress("c", 1))).isEqualTo(Offer.FULL);

        openUp(wire, outbox);
        assertThat(wire.text()).contains("\"a\",\"progress\":7").contains("\"b\",\"progress\":1");
        assertThat(wire.text()).doesNotContain("\"a\",\"progress\":1").doesNotContain("\"c\"");
    }

    @Test
    void fullOutboxKeepsOneListChangedOfEachMethod() {
        var wire = NarrowWire.closed();
        var outbox = full(wire);
        outbox.offer(Notification.of(Methods.TOOLS_LIST_CHANGED));
        fill(outbox);

        assertThat(outbox.offer(Notification.of(Methods.TOOLS_LIST_CHANGED))).isEqualTo(Offer.QUEUED);

        openUp(wire, outbox);
        assertThat(wire.lines())
                .filteredOn(line -> line.contains("list_changed"))
                .hasSize(1);
    }

    @Test
    void fullOutboxDropsLogMessages() {
        var wire = NarrowWire.closed();
        var outbox = full(wire);
        fill(outbox);

        assertThat(outbox.offer(log())).isEqualTo(Offer.FULL);
    }

    @Test
    void logMessagesAndSupersededProgressGiveWayToAnAnswer() {
        var wire = NarrowWire.closed();
        var outbox = outbox(wire);
        outbox.offer(answer(1, 10));
        outbox.offer(progress("a", 1));
        outbox.offer(progress("a", 2));
        Offer offer;
        do {
            offer = outbox.offer(log());
        } while (offer != Offer.FULL);

        assertThat(outbox.offer(answer(2, 400))).isEqualTo(Offer.QUEUED);

        openUp(wire, outbox);
        assertThat(wire.lines())
                .containsExactly(
                        answer(1, 10).json(),
                        progress("a", 2).json(),
                        answer(2, 400).json());
        assertThat(budget.used()).isZero();
    }

    @Test
    void answerThatDoesNotFitIsRefusedAtTheLimitAndOneByteBeyond() {
        var wire = NarrowWire.closed();

        assertThat(outbox(wire).offer(ofLength(MAX - 1))).isEqualTo(Offer.SENT);
        assertThat(outbox(wire).offer(ofLength(MAX))).isEqualTo(Offer.FULL);
    }

    @Test
    void sharedBudgetBoundsAllOutboxesTogether() {
        var shared = ByteBudget.of(1_500);
        var one = new Outbox(NarrowWire.closed(), MAX, shared, owner);
        var other = new Outbox(NarrowWire.closed(), MAX, shared, owner);
        assertThat(one.offer(ofLength(900))).isEqualTo(Offer.SENT);

        assertThat(other.offer(ofLength(900))).isEqualTo(Offer.FULL);
        one.close();

        assertThat(other.offer(ofLength(900))).isEqualTo(Offer.SENT);
        assertThat(shared.used()).isEqualTo(901);
    }

    @Test
    void finishTellsTheOwnerWhenEverythingIsWritten() {
        var wire = NarrowWire.closed();
        var outbox = outbox(wire);
        outbox.offer(answer(1, 10));

        outbox.finish();
        assertThat(owner.finished).isZero();
        openUp(wire, outbox);

        assertThat(owner.finished).isEqualTo(1);
        assertThat(outbox.offer(answer(2, 10))).isEqualTo(Offer.FULL);
    }

    @Test
    void finishOfAnEmptyOutboxTellsTheOwnerAtOnce() {
        outbox(new NarrowWire()).finish();

        assertThat(owner.finished).isEqualTo(1);
    }

    @Test
    void brokenWireIsToldToTheOwner() {
        var wire = new NarrowWire();
        wire.breakNow();

        outbox(wire).offer(answer(1, 10));

        assertThat(owner.broken).isEqualTo("Broken pipe");
    }

    @Test
    void flushOutOfTurnDoesNothing() {
        var wire = new NarrowWire();

        outbox(wire).flush();

        assertThat(wire.text()).isEmpty();
    }

    private Outbox outbox(NarrowWire wire) {
        return new Outbox(wire, MAX, budget, owner);
    }

    /** An outbox in which one message is being written, so that what follows waits. */
    private Outbox full(NarrowWire wire) {
        var outbox = outbox(wire);
        outbox.offer(answer(0, 10));
        return outbox;
    }

    private static void fill(Outbox outbox) {
        for (int length = 400; length >= answer(9, 0).length(); length--) {
            Offer offer;
            do {
                offer = outbox.offer(ofLength(length));
            } while (offer != Offer.FULL);
        }
    }

    private static void openUp(NarrowWire wire, Outbox outbox) {
        wire.allow(Long.MAX_VALUE);
        outbox.flush();
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

    private static final class RecordingOwner implements Outbox.Owner {
        private int finished;
        private String broken = "";

        @Override
        public void finished() {
            finished++;
        }

        @Override
        public void broken(IOException why) {
            broken = String.valueOf(why.getMessage());
        }
    }
}
