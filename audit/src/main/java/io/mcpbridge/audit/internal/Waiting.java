package io.mcpbridge.audit.internal;

import io.mcpbridge.spi.Completion;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One raw fact that is not written yet. Its completion hears once, whoever tells it first. Any thread.
 *
 * <p>That it has failed does not mean that the record is not written later: the facts stay in line.
 */
public final class Waiting {
    private final Kind kind;
    private final Object event;
    private final long bytes;
    private final long sinceNanos;
    private final Completion durable;
    private final AtomicBoolean told = new AtomicBoolean();

    /** What kind of record it becomes. */
    public enum Kind {
        ENTER,
        EXIT,
        DENIED,
        NOTE
    }

    Waiting(Kind kind, Object event, long bytes, long sinceNanos, Completion durable) {
        this.kind = kind;
        this.event = event;
        this.bytes = bytes;
        this.sinceNanos = sinceNanos;
        this.durable = durable;
    }

    public Kind kind() {
        return kind;
    }

    /** The fact as the sink was given it. */
    public Object event() {
        return event;
    }

    long bytes() {
        return bytes;
    }

    long sinceNanos() {
        return sinceNanos;
    }

    boolean isTold() {
        return told.get();
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
}
