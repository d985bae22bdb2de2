package io.mcpbridge.audit.internal;

import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.ToolDenied;
import io.mcpbridge.spi.ToolEnter;
import io.mcpbridge.spi.ToolExit;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One raw fact that is not written yet. Its completion hears once, whoever tells it first. Any thread.
 *
 * <p>That it has failed does not mean that the record is not written later: the facts stay in line.
 */
public final class Waiting {
    private final Fact fact;
    private final long sinceNanos;
    private final Completion durable;
    private final AtomicBoolean told = new AtomicBoolean();

    Waiting(Fact fact, long sinceNanos, Completion durable) {
        this.fact = fact;
        this.sinceNanos = sinceNanos;
        this.durable = durable;
    }

    public Kind kind() {
        return fact.kind;
    }

    /** What the fact looks like in a trail; for the writer. */
    public RecordBody body(AuditRecords records) {
        return switch (fact.kind) {
            case ENTER -> records.enter((ToolEnter) fact.event, fact.time);
            case EXIT -> records.exit((ToolExit) fact.event, fact.time);
            case DENIED -> records.denied((ToolDenied) fact.event, fact.time);
            case NOTE -> records.note((AuditNote) fact.event, fact.time);
        };
    }

    long bytes() {
        return fact.bytes;
    }

    long sinceNanos() {
        return sinceNanos;
    }

    boolean isTold() {
        return told.get();
    }

    /** Whether somebody waits who has not heard yet. */
    boolean isAwaited() {
        return durable.isAwaited() && !isTold();
    }

    /** The record is as safe as the sink makes it. */
    public void succeed(System.Logger logger) {
        tell(durable::succeeded, logger);
    }

    /** It is not, at least not in time. */
    public void fail(Throwable why, System.Logger logger) {
        tell(() -> durable.failed(why), logger);
    }

    private void tell(Runnable word, System.Logger logger) {
        if (!told.compareAndSet(false, true)) {
            return;
        }
        try {
            word.run();
        } catch (RuntimeException | LinkageError defect) {
            logger.log(Level.ERROR, "[mcp-bridge] whoever waited for an audit record failed: " + defect, defect);
        }
    }

    /** What kind of record it becomes. */
    public enum Kind {
        ENTER,
        EXIT,
        DENIED,
        NOTE
    }

    /**
     * What happened.
     *
     * @param bytes how much memory it holds that nobody else does, roughly
     * @param time when the sink was told
     */
    record Fact(Kind kind, Object event, long bytes, Instant time) {}
}
