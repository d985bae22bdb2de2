package io.mcpbridge.engine.pipeline;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.LogThrottle;
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
 * Passes records to the audit sink and tracks whether they are kept. Treats everything that the sink throws, including
 * linkage errors, as a failure of the sink. Any thread.
 */
public final class SinkGuard {
    private static final String FAILED =
            "[mcp-bridge] the audit sink failed on a record (%s): %s; %d records were not kept by now";

    private static final String KEPT_AGAIN = "[mcp-bridge] audit records are kept again; %d were not, since the start";

    private final AuditSink sink;
    private final System.Logger logger;
    private final Timekeeper timekeeper;
    private final PowerOfTwoSampler failures = new PowerOfTwoSampler();

    /** Throttles the log, since a sink with a full queue or disk alternates between success and failure. */
    private final LogThrottle throttle;

    private final AtomicLong lost = new AtomicLong();
    private final Completion unawaited = new Unawaited();
    private final AtomicReference<@Nullable Instant> lostSince = new AtomicReference<>();
    private volatile @Nullable String lastFailure;

    /** Creates a guard with no lost records. */
    public SinkGuard(AuditSink sink, System.Logger logger, Timekeeper timekeeper) {
        this.sink = sink;
        this.logger = logger;
        this.timekeeper = timekeeper;
        this.throttle = new LogThrottle(timekeeper);
    }

    /** Records the begin of a call without waiting. */
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

    /** Records the end of a call without waiting. */
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

    /** Records a denied call. */
    public void denied(ToolDenied event) {
        guarded("denial", () -> sink.denied(event));
    }

    /** Records an event that belongs to no call. */
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

    /** Whether records are currently lost. */
    public boolean isStopped() {
        try {
            return lastFailure != null || sink.isStopped();
        } catch (Throwable defect) {
            return true;
        }
    }

    /** Returns the fault that the sink reports, or why the latest record was not kept. */
    public Optional<String> fault() {
        Optional<String> current;
        try {
            current = sink.fault();
        } catch (Throwable defect) {
            current = Optional.of(words(defect));
        }
        return current.or(() -> Optional.ofNullable(lastFailure));
    }

    /**
     * Returns how many records were not kept or not in time since the start; a recovery of the sink does not reset it.
     */
    public long lost() {
        return lost.get();
    }

    /** Returns when the first record was lost. */
    public Optional<Instant> lostSince() {
        return Optional.ofNullable(lostSince.get());
    }

    /** Returns the measurements of the sink and the number of lost records. */
    public List<GaugeReading> readings() {
        var readings = new ArrayList<GaugeReading>();
        guarded("reading", () -> readings.addAll(sink.readings()));
        var count = lost.get();
        readings.add(
                new GaugeReading("audit.failed", count, count + " audit records that were not kept or not in time"));
        return List.copyOf(readings);
    }

    /** Notes that a record was kept. */
    void kept() {
        if (lastFailure != null) {
            lastFailure = null;
            throttle.worked(() -> logger.log(Level.INFO, KEPT_AGAIN.formatted(lost.get())));
        }
    }

    /** Notes that a record was not kept, or not in time. */
    void failed(String what, Throwable why) {
        var count = lost.incrementAndGet();
        if (count == 1) {
            lostSince.set(timekeeper.now());
        }
        var isNews = throttle.failed();
        lastFailure = words(why);
        if (failures.count("").isPresent() || isNews) {
            log(FAILED.formatted(what, words(why), count), why, isNews);
        }
    }

    /** Logs a failure. Adds the stack trace of a defect once while it lasts; a {@link BridgeException} needs none. */
    private void log(String words, Throwable why, boolean isNews) {
        if (isNews && !(why instanceof BridgeException)) {
            logger.log(Level.ERROR, words, why);
        } else {
            logger.log(Level.ERROR, words);
        }
    }

    /** Returns the message of an exception, or its class without one. */
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
