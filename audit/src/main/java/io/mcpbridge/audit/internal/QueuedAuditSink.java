package io.mcpbridge.audit.internal;

import io.mcpbridge.audit.internal.TrailStore.FailureAction;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.GaugeReading;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An audit sink with a queue and one writer thread. Any thread may use it; only {@link #close} waits.
 *
 * <p>The thread takes records from the queue in groups, appends them to the store and completes their events. It ends when the queue is closed and empty; no failure ends it earlier.
 */
public final class QueuedAuditSink implements AuditSink {
    private static final int MAX_GROUP = 512;
    private static final long MAX_GROUP_BYTES = 4L << 20;
    private static final Duration GAP_DELAY = Duration.ofSeconds(1);
    private static final Duration ABORT_TIMEOUT = Duration.ofSeconds(2);
    private static final int TIMEOUT_CHECKS = 4;

    private final RecordQueue queue;
    private final AuditRecords records;
    private final TrailStore store;
    private final Environment environment;
    private final WakeupTimer gapTimer;
    private final Thread thread;
    private final AtomicBoolean isTimeoutArmed = new AtomicBoolean();
    private volatile long groups;
    private volatile long recordsWritten;

    /** Makes a sink whose writer begins with {@link #start}. */
    public QueuedAuditSink(
            String thread, RecordQueue queue, AuditRecords records, TrailStore store, Environment environment) {
        this.queue = queue;
        this.records = records;
        this.store = store;
        this.environment = environment;
        this.gapTimer = new WakeupTimer(environment.timekeeper(), GAP_DELAY, queue::poke);
        this.thread = new Thread(this::run, thread);
        this.thread.setDaemon(true);
    }

    /** Starts the writer thread. */
    public QueuedAuditSink start() {
        thread.start();
        return this;
    }

    @Override
    public void enter(ToolEnter event, Completion durable) {
        queue.offer(PendingRecord.of(event, durable, environment.timekeeper()));
        watchTimeout();
    }

    @Override
    public void exit(ToolExit event, Completion durable) {
        queue.offer(PendingRecord.of(event, durable, environment.timekeeper()));
        watchTimeout();
    }

    @Override
    public void denied(ToolDenied event) {
        queue.offer(PendingRecord.of(event, environment.timekeeper()));
    }

    @Override
    public void note(AuditNote note) {
        queue.note(note);
    }

    @Override
    public Durability durability() {
        return store.durability();
    }

    @Override
    public Optional<String> fault() {
        return store.fault();
    }

    @Override
    public boolean isStopped() {
        return store.isStopped();
    }

    @Override
    public List<GaugeReading> readings() {
        return List.of(
                new GaugeReading("audit.queue", queue.size(), "of " + RecordQueue.MAX_EVENTS),
                new GaugeReading("audit.group", meanGroup(), "records written at once, on average"),
                new GaugeReading("audit.lost", queue.losses().total(), "records that are not in the trail"));
    }

    private long meanGroup() {
        long written = groups;
        return written == 0 ? 0 : Math.round((double) recordsWritten / written);
    }

    /** Writes the queued records, for at most the time-out of the store, and ends. */
    @Override
    public void close() {
        queue.close();
        try {
            if (ends(store.closeTimeout())) {
                return;
            }
            store.abort(thread);
            if (!ends(ABORT_TIMEOUT)) {
                var why = RecordQueue.unavailable("the audit record was not written before the sink ended");
                queue.uncompleted().forEach(each -> each.fail(why, environment.logger()));
            }
        } catch (InterruptedException e) {
            store.abort(thread);
            Thread.currentThread().interrupt();
        }
    }

    private boolean ends(Duration timeout) throws InterruptedException {
        thread.join(timeout.toMillis());
        return !thread.isAlive();
    }

    /**
     * Fails the completion of each record that exceeds the time-out, at most a quarter of the time-out later and even
     * if the writer is blocked. The records stay in the queue and are written as soon as possible.
     */
    private void watchTimeout() {
        if (!store.recordTimeout().isZero() && isTimeoutArmed.compareAndSet(false, true)) {
            armTimeout(store.recordTimeout());
        }
    }

    private void armTimeout(Duration delay) {
        var unused = environment.timekeeper().schedule(delay, this::onTimeout);
    }

    /** Moves to another thread: a failed completion continues its call, which must not run on the timer thread. */
    private void onTimeout() {
        if (!queue.isClosed()) {
            environment.workers().execute(this::failLate);
        }
    }

    private void failLate() {
        isTimeoutArmed.set(false);
        var timeout = store.recordTimeout();
        long since = environment.timekeeper().nanoTime() - timeout.toNanos();
        var awaited =
                queue.uncompleted().stream().filter(PendingRecord::isAwaited).toList();
        var late = awaited.stream()
                .filter(each -> each.offeredNanos() - since <= 0)
                .toList();
        if (!late.isEmpty()) {
            var why = RecordQueue.unavailable("the audit record is not durable after %d ms: %s"
                    .formatted(timeout.toMillis(), store.fault().orElse("the database is slow")));
            late.forEach(each -> each.fail(why, environment.logger()));
        }
        if (late.size() < awaited.size() && isTimeoutArmed.compareAndSet(false, true)) {
            armTimeout(timeout.dividedBy(TIMEOUT_CHECKS));
        }
    }

    private void run() {
        while (!queue.isClosed() || queue.size() > 0) {
            guard(this::writeNext);
        }
        guard(queue::end);
        reportLostExits();
        gapTimer.stop();
        guard(store::close);
    }

    private void writeNext() {
        var events = queue.take(MAX_GROUP, MAX_GROUP_BYTES);
        guard(store::beforeGroup);
        try {
            write(withGap(RecordGroup.of(events)));
        } finally {
            queue.release();
        }
        reportLostExits();
        guard(store::afterGroup);
    }

    private void reportLostExits() {
        guard(() -> {
            for (var call = queue.pollLostExit(); call != null; call = queue.pollLostExit()) {
                store.onLostExit(call);
            }
        });
    }

    /** Runs an action and logs its failures, so that no defect ends the only writer thread. */
    private void guard(Runnable action) {
        try {
            action.run();
        } catch (Throwable defect) {
            logDefect("the audit writer failed", defect);
        }
    }

    private void logDefect(String problem, Throwable defect) {
        try {
            environment.logger().log(Level.ERROR, "[mcp-bridge] " + problem, defect);
        } catch (Throwable brokenLogger) {
            // A broken logger must not stop the trail.
        }
    }

    private RecordGroup withGap(RecordGroup group) {
        gapTimer.stop();
        var gap = queue.losses().gap();
        try {
            return gap.isEmpty()
                    ? group
                    : group.after(
                            gap.get(),
                            records.note(
                                    gap.get().note(), environment.timekeeper().now()));
        } catch (Throwable defect) {
            logDefect("the audit writer failed", defect);
            gapTimer.start();
            return group;
        }
    }

    private void write(RecordGroup group) {
        for (var failed = append(group); failed.isPresent(); failed = append(group)) {
            if (failed.get() instanceof FailureAction.Retry retry) {
                queue.pause(retry.pause());
            } else if (failed.get() instanceof FailureAction.Split
                    && group.bodies().size() > 1) {
                group.split().forEach(this::write);
                return;
            } else {
                drop(group, failed.get().why());
                return;
            }
        }
        written(group);
    }

    /** Appends a group; returns the action after a failure, or empty. */
    private Optional<FailureAction> append(RecordGroup group) {
        try {
            store.append(group);
            return Optional.empty();
        } catch (Throwable failure) {
            try {
                return Optional.of(store.onFailure(failure, group));
            } catch (Throwable defect) {
                logDefect("the audit writer failed", defect);
                return Optional.of(new FailureAction.Drop("the audit writer failed: " + failure));
            }
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Only the writer's thread writes them.
    private void written(RecordGroup group) {
        if (!group.isEmpty()) {
            groups++;
            recordsWritten += group.bodies().size();
        }
        group.gap().ifPresent(queue.losses()::markNoted);
        group.events().forEach(event -> guard(() -> event.succeed(environment.logger())));
    }

    private void drop(RecordGroup group, String why) {
        // The note of the gap must not wait for the next event.
        gapTimer.start();
        group.events().forEach(event -> guard(() -> queue.lose(event, why)));
    }
}
