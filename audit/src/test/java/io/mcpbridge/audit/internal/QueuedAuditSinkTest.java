package io.mcpbridge.audit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.database.Events;
import io.mcpbridge.audit.database.TestEnvironment;
import io.mcpbridge.audit.internal.TrailStore.FailureAction;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.Durability;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ResourceBundle;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Groups that a store writes, rejects, cannot hold or writes later. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class QueuedAuditSinkTest {
    private final BrokenLogger logger = new BrokenLogger();
    private final Environment environment = TestEnvironment.logging(logger);
    private final AuditRecords records = AuditRecords.of(Settings.of(Map.of()), environment);
    private final RecordQueue queue = new RecordQueue(environment, records, "the store is too slow");
    private final FakeStore store = new FakeStore();
    private final QueuedAuditSink writer = new QueuedAuditSink("test-writer", queue, records, store, environment);

    @AfterEach
    void end() {
        writer.close();
        assertThat(store.isClosed).isTrue();
    }

    @Test
    void groupIsWrittenInOrderAndCompleted() throws Exception {
        var words = enter("a", "b");

        writer.start();

        assertThat(words.get(0).get()).isEqualTo("durable");
        assertThat(words.get(1).get()).isEqualTo("durable");
        assertThat(store.written).hasSize(2);
        assertThat(store.written.get(0)).contains("\"id\":\"a-enter\"");
    }

    @Test
    void droppedRecordIsNotedAsAGapInTheNextGroup() throws Exception {
        store.actions.add(new FailureAction.Drop("the store is broken"));
        var dropped = enter("a").get(0);
        writer.start();
        assertThat(dropped.get()).isEqualTo("the store is broken");

        var next = enter("b").get(0);

        assertThat(next.get()).isEqualTo("durable");
        assertThat(store.written).hasSize(2);
        assertThat(store.written.get(0)).contains("\"kind\":\"gap\"", "\"enter\":\"1\"", "\"lost\":\"1\"");
        assertThat(queue.losses().gap()).isEmpty();
    }

    @Test
    void gapIsNotedWithoutAnotherEvent() throws Exception {
        store.actions.add(new FailureAction.Drop("the store is broken"));
        var dropped = enter("a").get(0);
        writer.start();
        assertThat(dropped.get()).isEqualTo("the store is broken");

        assertThat(store.awaitWritten()).contains("\"kind\":\"gap\"");
    }

    @Test
    void retriedGroupIsTheSame() throws Exception {
        store.actions.add(new FailureAction.Retry("the store is busy", Duration.ofMillis(1)));
        store.actions.add(new FailureAction.Retry("the store is busy", Duration.ofMillis(1)));
        var words = enter("a", "b");

        writer.start();

        assertThat(words.get(1).get()).isEqualTo("durable");
        assertThat(store.attempts).hasSizeGreaterThanOrEqualTo(3);
        assertThat(store.attempts.get(2)).isEqualTo(store.attempts.get(0));
    }

    @Test
    void onlyARecordThatTheStoreCannotHoldIsLost() throws Exception {
        store.unfit = "b-enter";
        var words = enter("a", "b", "c");

        writer.start();

        assertThat(words.get(0).get()).isEqualTo("durable");
        assertThat(words.get(1).get()).isEqualTo("it does not fit");
        assertThat(words.get(2).get()).isEqualTo("durable");
        assertThat(queue.losses().total()).isEqualTo(1);
    }

    @Test
    void defectOfTheStoreFailsItsGroupAndNotTheWriter() throws Exception {
        store.actions.add(new FailureAction.Drop("ignored"));
        store.failsToDecide = true;
        var failed = enter("a").get(0);
        writer.start();
        assertThat(failed.get()).isEqualTo("the audit writer failed: java.io.IOException: the store fails");

        assertThat(enter("b").get(0).get()).isEqualTo("durable");
    }

    @Test
    void defectAfterTheAppendDoesNotWriteTheGroupAgain() throws Exception {
        logger.fails = true;
        queue.offer(PendingRecord.of(Events.enter("a"), new BrokenCompletion(), environment.timekeeper()));
        writer.start();
        var next = enter("b").get(0);

        assertThat(next.get()).isEqualTo("durable");
        assertThat(store.written).hasSize(2);
        assertThat(queue.losses().total()).isZero();
    }

    @Test
    void lostExitIsReportedToTheStore() throws Exception {
        store.actions.add(new FailureAction.Drop("the store is broken"));
        queue.offer(PendingRecord.of(Events.exit("a"), new Events.Word(), environment.timekeeper()));
        writer.start();

        assertThat(store.awaitLostExit()).isEqualTo("a");
    }

    @Test
    void eventAfterTheEndIsRejected() throws Exception {
        writer.start();
        writer.close();

        assertThat(enter("late").get(0).get()).isEqualTo("the audit trail is closed");
    }

    @Test
    void callerMakesItsRecordWithoutDelayingOthers() throws Exception {
        writer.start();
        var making = new CountDownLatch(1);
        var may = new CountDownLatch(1);
        RandomGenerator slow = () -> {
            making.countDown();
            await(may);
            return 1;
        };
        var slowRecords = AuditRecords.of(Settings.of(Map.of()), TestEnvironment.with(slow));
        var ownQueue = new RecordQueue(environment, slowRecords, "the store is too slow");
        try (var sink = new QueuedAuditSink("own-writer", ownQueue, slowRecords, new FakeStore(), environment)) {
            sink.start();
            // The id of a note is random, so its caller is stuck as one with large arguments would be busy.
            var caller = new Thread(() -> sink.note(new AuditNote("slow", Map.of())));
            caller.start();
            await(making);
            var word = new Events.Word();

            sink.enter(Events.enter("a"), word);

            assertThat(word.get(30, TimeUnit.SECONDS)).isEqualTo("durable");
            may.countDown();
            caller.join();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<Events.Word> enter(String... ids) {
        var words = new ArrayList<Events.Word>();
        for (var id : ids) {
            var word = new Events.Word();
            words.add(word);
            queue.offer(PendingRecord.of(Events.enter(id), word, environment.timekeeper()));
        }
        return words;
    }

    /** Fails as the test says, and keeps what it was given. */
    private static final class FakeStore implements TrailStore {
        private final ArrayDeque<FailureAction> actions = new ArrayDeque<>();
        private final List<List<RecordBody>> attempts = new ArrayList<>();
        private final List<String> written = new ArrayList<>();
        private volatile String unfit = "-";
        private volatile boolean isClosed;
        private volatile boolean failsToDecide;
        private final BlockingQueue<String> lostExits = new LinkedBlockingQueue<>();

        @Override
        public Durability durability() {
            return Durability.NONE;
        }

        @Override
        public Optional<String> fault() {
            return Optional.empty();
        }

        @Override
        public boolean isStopped() {
            return false;
        }

        @Override
        public Duration closeTimeout() {
            return Duration.ofSeconds(30);
        }

        @Override
        public synchronized void append(RecordGroup group) throws IOException {
            if (group.isEmpty()) {
                return;
            }
            attempts.add(group.bodies());
            if (!actions.isEmpty() || isUnfit(group)) {
                throw new IOException("the store fails");
            }
            group.bodies().forEach(body -> written.add(body.toString()));
            notifyAll();
        }

        private boolean isUnfit(RecordGroup group) {
            return group.bodies().stream().anyMatch(body -> body.toString().contains("\"id\":\"" + unfit));
        }

        @Override
        public synchronized FailureAction onFailure(Throwable failure, RecordGroup group) {
            if (failsToDecide) {
                failsToDecide = false;
                actions.clear();
                throw new IllegalStateException("a defect of the store");
            }
            return actions.isEmpty() ? new FailureAction.Split("it does not fit") : actions.remove();
        }

        @Override
        public void onLostExit(String correlationId) {
            lostExits.add(correlationId);
        }

        @Nullable
        String awaitLostExit() throws InterruptedException {
            return lostExits.poll(10, TimeUnit.SECONDS);
        }

        synchronized String awaitWritten() throws InterruptedException {
            while (written.isEmpty()) {
                wait(10_000);
            }
            return written.get(0);
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    /** Fails whatever it learns. */
    private static final class BrokenCompletion implements Completion {

        @Override
        public void succeeded() {
            throw new IllegalStateException("a defect of the caller");
        }

        @Override
        public void failed(Throwable why) {
            succeeded();
        }
    }

    /** Fails where the test says. */
    private static final class BrokenLogger implements System.Logger {
        private volatile boolean fails;

        @Override
        public String getName() {
            return "broken";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
            if (fails) {
                throw new IllegalStateException("a defect of the logger");
            }
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... params) {
            log(level, bundle, format, new IllegalStateException());
        }
    }
}
