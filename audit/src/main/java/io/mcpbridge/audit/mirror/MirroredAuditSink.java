package io.mcpbridge.audit.mirror;

import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.ToolDenied;
import io.mcpbridge.spi.ToolEnter;
import io.mcpbridge.spi.ToolExit;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Gives everything to two sinks. What the first one says counts; nothing that the mirror does can disturb it.
 *
 * <p>Any thread may use it, as far as any may use the two.
 */
public final class MirroredAuditSink implements AuditSink {
    private static final Completion NOBODY = new Completion() {
        @Override
        public void succeeded() {}

        @Override
        public void failed(Throwable why) {}
    };

    private final AuditSink first;
    private final AuditSink mirror;
    private final System.Logger logger;
    private final AtomicBoolean hasFailed = new AtomicBoolean();

    /** Two open sinks, which are closed with this one. */
    public MirroredAuditSink(AuditSink first, AuditSink mirror, System.Logger logger) {
        this.first = first;
        this.mirror = mirror;
        this.logger = logger;
    }

    @Override
    public void enter(ToolEnter event, Completion durable) {
        first.enter(event, durable);
        reflect(() -> mirror.enter(event, NOBODY));
    }

    @Override
    public void exit(ToolExit event, Completion durable) {
        first.exit(event, durable);
        reflect(() -> mirror.exit(event, NOBODY));
    }

    @Override
    public void denied(ToolDenied event) {
        first.denied(event);
        reflect(() -> mirror.denied(event));
    }

    @Override
    public void note(AuditNote note) {
        first.note(note);
        reflect(() -> mirror.note(note));
    }

    /** A mirror that is broken says so once. */
    private void reflect(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException | LinkageError defect) {
            if (hasFailed.compareAndSet(false, true)) {
                logger.log(Level.WARNING, "[mcp-bridge] the mirror of the audit trail failed", defect);
            }
        }
    }

    @Override
    public Durability durability() {
        return first.durability();
    }

    @Override
    public Optional<String> trouble() {
        return first.trouble();
    }

    @Override
    public boolean isStopped() {
        return first.isStopped();
    }

    @Override
    public List<Reading> readings() {
        return first.readings();
    }

    @Override
    public void close() {
        try {
            first.close();
        } finally {
            reflect(mirror::close);
        }
    }
}
