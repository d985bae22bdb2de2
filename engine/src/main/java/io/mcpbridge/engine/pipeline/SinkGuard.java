package io.mcpbridge.engine.pipeline;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.LogThrottle;
import io.mcpbridge.spi.Measurement;
import io.mcpbridge.spi.PowerOfTwoSampler;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Hands records to the sink, and knows whether they are kept. Whatever the sink throws is its failure, a class that it
 * misses among them: these are its outermost frames. Any thread.
 */
public final class SinkGuard {
    private static final String FAILED =
            "[mcp-bridge] the audit sink failed on a record (%s): %s; %d records were not kept by now";

    private static final String KEPT_AGAIN = "[mcp-bridge] audit records are kept again; %d were not, since the start";

    private final AuditSink sink;
    private final System.Logger logger;
    private final Timekeeper timekeeper;
    private final PowerOfTwoSampler failures = new PowerOfTwoSampler();

    /** A sink whose queue or disk is full fails and keeps records by turns. */
    private final LogThrottle calm;

    private final AtomicLong lost = new AtomicLong();
    private final Completion unawaited = new Unawaited();
    private final AtomicReference<@Nullable Instant> lostSince = new AtomicReference<>();
    private volatile @Nullable String lastFailure;

    /** Nothing is lost yet. */
    public SinkGuard(AuditSink sink, System.Logger logger, Timekeeper timekeeper) {
        this.sink = sink;
        this.logger = logger;
        this.timekeeper = timekeeper;
        this.calm = new LogThrottle(timekeeper);
    }

    /** Records a beginning without a wait. */
    void enter(ToolEnter event) {
        enter(event, unawaited);
    }

    void enter(ToolEnter event, Completion durable) {
        try {
            sink.enter(event, durable);
        } catch (Throwable defect) {
            durable.failed(defect);
        }
    }

    /** Records an end without a wait. */
    void exit(ToolExit event) {
        exit(event, unawaited);
    }

    void exit(ToolExit event, Completion durable) {
        try {
            sink.exit(event, durable);
        } catch (Throwable defect) {
            durable.failed(defect);
        }
    }

    /** Records a call that was turned away. */
    public void denied(ToolDenied event) {
        guarded("denial", () -> sink.denied(event));
    }

    /** Something that belongs to no call. */
    public void note(AuditNote note) {
        guarded("note", () -> sink.note(note));
    }

    private void guarded(String what, Runnable record) {
        try {
            record.run();
        } catch (Throwable defect) {
            failed(what, defect);
        }
    }

    /** Whether records are not kept, at this moment. */
    public boolean isStopped() {
        try {
            return lastFailure != null || sink.isStopped();
        } catch (Throwable defect) {
            return true;
        }
    }

    /** What the sink fails at, or why the latest record was not kept. */
    public Optional<String> fault() {
        Optional<String> current;
        try {
            current = sink.fault();
        } catch (Throwable defect) {
            current = Optional.of(words(defect));
        }
        return current.or(() -> Optional.ofNullable(lastFailure));
    }

    /** How many records were not kept, or not in time; that stays after the sink is well again. */
    public long lost() {
        return lost.get();
    }

    /** When the first of them was lost. */
    public Optional<Instant> lostSince() {
        return Optional.ofNullable(lostSince.get());
    }

    /** What there is to see. */
    public List<Measurement> readings() {
        var readings = new ArrayList<Measurement>();
        guarded("reading", () -> readings.addAll(sink.readings()));
        var count = lost.get();
        readings.add(
                new Measurement("audit.failed", count, count + " audit records that were not kept or not in time"));
        return List.copyOf(readings);
    }

    /** A record is safe. */
    void kept() {
        if (lastFailure != null) {
            lastFailure = null;
            calm.worked(() -> logger.log(Level.INFO, KEPT_AGAIN.formatted(lost.get())));
        }
    }

    /** A record is not safe, or not in time. */
    void failed(String what, Throwable why) {
        var count = lost.incrementAndGet();
        if (count == 1) {
            lostSince.set(timekeeper.now());
        }
        var isNews = calm.failed();
        lastFailure = words(why);
        if (failures.count("").isPresent() || isNews) {
            tell(FAILED.formatted(what, words(why), count), why, isNews);
        }
    }

    /** Logs the stack trace of a defect once while it lasts; the sink itself logs the reason of a refusal. */
    private void tell(String words, Throwable why, boolean isNews) {
        if (isNews && !(why instanceof BridgeException)) {
            logger.log(Level.ERROR, words, why);
        } else {
            logger.log(Level.ERROR, words);
        }
    }

    /** What failed, in words. */
    static String words(Throwable why) {
        var message = why.getMessage();
        return message == null || message.isEmpty() ? why.toString() : message;
    }

    private final class Unawaited implements Completion {

        @Override
        public void succeeded() {
            kept();
        }

        @Override
        public void failed(Throwable why) {
            SinkGuard.this.failed("without a wait", why);
        }

        @Override
        public boolean isAwaited() {
            return false;
        }
    }
}
