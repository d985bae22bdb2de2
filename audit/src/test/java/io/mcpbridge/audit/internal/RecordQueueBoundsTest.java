package io.mcpbridge.audit.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.mcpbridge.audit.database.Events;
import io.mcpbridge.audit.database.TestEnvironment;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.AuditSink.Durability;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.AuditedCallFixture;
import io.mcpbridge.testkit.FakeTimekeeper;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RecordQueueBoundsTest {
    private static final Principal ALICE = new Principal("alice", "token");
    private static final Principal BOB = new Principal("bob", "token");
    private static final AuditedCall ECHO = AuditedCallFixture.of("tools/call", "local", "echo", "");
    private static final String LONG = "x".repeat(1 << 20);
    private static final AuditedCall LONG_NAME = AuditedCallFixture.of("tools/call", "local", LONG, "");
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final FakeTimekeeper time = new FakeTimekeeper();
    private final Environment environment = TestEnvironment.at(time);
    private final AuditRecords records = AuditRecords.of(Settings.of(Map.of()), environment);
    private final RecordQueue queue = new RecordQueue(environment, records, "the disk is too slow");

    @Test
    void recordBeyondTheQueueLimitIsRejectedAtOnce() {
        enter(RecordQueue.MAX_EVENTS);

        assertThat(offered()).startsWith("the audit queue is full: 8192 records or 64 MB wait; the disk is too slow");
        assertThat(queue.size()).isEqualTo(RecordQueue.MAX_EVENTS);
    }

    @Test
    void takenRecordsCountUntilTheyAreReleased() {
        enter(RecordQueue.MAX_EVENTS);
        var unused = take();
        assertThat(offered()).startsWith("the audit queue is full");

        queue.release();

        assertThat(offered()).isEqualTo("waits");
        assertThat(queue.size()).isEqualTo(RecordQueue.MAX_EVENTS - 512 + 1);
    }

    @Test
    void onePrincipalFillsAtMostHalfOfTheQueue() {
        enter(RecordQueue.MAX_EVENTS, ALICE);

        assertThat(offeredBy(ALICE)).startsWith("the half of the audit queue that one user may fill is full: 4096");
        assertThat(offeredBy(BOB)).isEqualTo("waits");
        assertThat(queue.size()).isEqualTo(RecordQueue.MAX_EVENTS / 2 + 1);

        var unused = take();
        queue.release();

        assertThat(offeredBy(ALICE)).isEqualTo("waits");
    }

    @Test
    void onePrincipalFillsAtMostHalfOfTheBytes() {
        var call = AuditedCallFixture.of("tools/call", "x".repeat(16_000), "echo", "");
        var word = new Events.Word();
        while (!word.isDone()) {
            var event = new ToolEnter(AuditedCallFixture.by(call, "a", ALICE, ""), "{}", "", 1);
            queue.offer(PendingRecord.of(event, word, time));
        }

        assertThat(queue.size()).isLessThan(RecordQueue.MAX_EVENTS / 2);
        assertThat(offeredBy(BOB)).isEqualTo("waits");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("longEvents")
    void longTextsOfPeersAreTruncatedBeforeTheyAreQueued(String name, Consumer<RecordQueue> event) {
        for (int i = 0; i < 66; i++) {
            event.accept(queue);
        }

        assertThat(queue.size()).isEqualTo(66);
        assertThat(queue.losses().total()).isZero();
    }

    static Stream<Arguments> longEvents() {
        return Stream.of(
                entering("arguments", new ToolEnter(AuditedCallFixture.by(ECHO, "a", ALICE, ""), LONG, "", 1)),
                entering(
                        "the name of a tool",
                        new ToolEnter(AuditedCallFixture.by(LONG_NAME, "a", ALICE, ""), "{}", "", 1)),
                entering(
                        "the id of a client",
                        new ToolEnter(AuditedCallFixture.by(ECHO, "a", ALICE, LONG), "{}", "", 1)),
                entering(
                        "the name of a user",
                        new ToolEnter(AuditedCallFixture.by(ECHO, "a", new Principal(LONG, "token"), ""), "{}", "", 1)),
                leaving(
                        "the name of a tool that ended",
                        new ToolExit(AuditedCallFixture.withId(LONG_NAME, "a"), SECOND, 1, failed(""))),
                leaving(
                        "the message of a failure",
                        new ToolExit(AuditedCallFixture.withId(ECHO, "a"), SECOND, 1, failed(LONG))),
                denying(
                        "the name of a tool that is denied",
                        new ToolDenied(AuditedCallFixture.by(LONG_NAME, "a", ALICE, ""), "")),
                denying(
                        "the id of a client that is denied",
                        new ToolDenied(AuditedCallFixture.by(ECHO, "a", ALICE, LONG), "")),
                denying("the reason of a denial", new ToolDenied(AuditedCallFixture.by(ECHO, "a", ALICE, ""), LONG)),
                noting("a detail of a note", new AuditNote("odd", Map.of("what", LONG))));
    }

    private static Outcome failed(String message) {
        return Outcome.failed(Failure.of(ErrorCode.AUDIT_UNAVAILABLE, message));
    }

    private static Arguments entering(String name, ToolEnter event) {
        return arguments(name, (Consumer<RecordQueue>)
                to -> to.offer(PendingRecord.of(event, new Events.Word(), new FakeTimekeeper())));
    }

    private static Arguments leaving(String name, ToolExit event) {
        return arguments(name, (Consumer<RecordQueue>)
                to -> to.offer(PendingRecord.of(event, new Events.Word(), new FakeTimekeeper())));
    }

    private static Arguments denying(String name, ToolDenied event) {
        return arguments(name, (Consumer<RecordQueue>) to -> to.offer(PendingRecord.of(event, new FakeTimekeeper())));
    }

    private static Arguments noting(String name, AuditNote note) {
        return arguments(name, (Consumer<RecordQueue>) to -> to.note(note));
    }

    @Test
    void lossesAreCountedUntilTheyAreNoted() {
        enter(RecordQueue.MAX_EVENTS);
        enter(2);
        queue.offer(PendingRecord.of(Events.exit("late"), new Events.Word(), time));

        var gap = queue.losses().gap().orElseThrow();

        assertThat(gap.note().kind()).isEqualTo("gap");
        assertThat(gap.note().details())
                .containsEntry("lost", "3")
                .containsEntry("enter", "2")
                .containsEntry("exit", "1");
        assertThat(queue.losses().gap()).isPresent();
        queue.losses().markNoted(gap);
        assertThat(queue.losses().gap()).isEmpty();
        assertThat(queue.losses().total()).isEqualTo(3);
    }

    @Test
    void eachLossIsCountedOnce() {
        queue.close();

        queue.offer(PendingRecord.of(Events.enter("a"), new Events.Word(), time));
        queue.note(new AuditNote("odd", Map.of()));

        assertThat(queue.losses().total()).isEqualTo(2);
    }

    @Test
    void closedQueueReturnsItsEventsAndRejectsOthers() {
        enter(1);

        queue.close();

        assertThat(offered()).isEqualTo("the audit trail is closed");
        assertThat(take()).hasSize(1);
        queue.release();
        assertThat(take()).isEmpty();
    }

    @Test
    void onlyAwaitedRecordsTimeOut() {
        var sink = new QueuedAuditSink("test-writer", queue, records, new SleepingStore(), environment);
        var awaited = new Events.Word();
        var unawaited = new Unawaited();
        sink.enter(Events.enter("a"), awaited);
        sink.enter(Events.enter("b"), unawaited);

        time.advance(SECOND);

        assertThat(awaited).isCompletedWithValue("the audit record is not durable after 1000 ms: the writer sleeps");
        assertThat(unawaited.word).isNotDone();
        assertThat(time.pendingAlarms()).isZero();
        queue.uncompleted().forEach(each -> each.succeed(environment.logger()));
        assertThat(unawaited.word).isCompletedWithValue("durable");
    }

    /** Adds the events of two principals, since one may fill half of the queue only. */
    private void enter(int count) {
        enter(count / 2, ALICE);
        enter(count - count / 2, BOB);
    }

    private void enter(int count, Principal principal) {
        for (int i = 0; i < count; i++) {
            queue.offer(PendingRecord.of(entering(principal), new Events.Word(), time));
        }
    }

    private static ToolEnter entering(Principal principal) {
        return new ToolEnter(AuditedCallFixture.by(ECHO, "call", principal, ""), "{}", "", 1);
    }

    /** The error that the next caller gets at once. */
    private String offered() {
        return offeredBy(new Principal("carol", "token"));
    }

    private String offeredBy(Principal principal) {
        var word = new Events.Word();
        queue.offer(PendingRecord.of(entering(principal), word, time));
        return word.getNow("waits");
    }

    private List<PendingRecord> take() {
        return queue.take(512, Long.MAX_VALUE);
    }

    /** The completion of a record that no caller waits for. */
    private static final class Unawaited implements Completion {
        private final Events.Word word = new Events.Word();

        @Override
        public void succeeded() {
            word.succeeded();
        }

        @Override
        public void failed(Throwable why) {
            word.failed(why);
        }

        @Override
        public boolean isAwaited() {
            return false;
        }
    }

    /** A store with a timeout for records. */
    private static final class SleepingStore implements TrailStore {

        @Override
        public Durability durability() {
            return Durability.NONE;
        }

        @Override
        public Optional<String> fault() {
            return Optional.of("the writer sleeps");
        }

        @Override
        public boolean isStopped() {
            return true;
        }

        @Override
        public Duration closeTimeout() {
            return SECOND;
        }

        @Override
        public Duration recordTimeout() {
            return SECOND;
        }

        @Override
        public void append(RecordGroup group) {}

        @Override
        public FailureAction onFailure(Throwable failure, RecordGroup group) {
            return new FailureAction.Drop("unused");
        }

        @Override
        public void close() {}
    }
}
