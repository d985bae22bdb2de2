package io.mcpbridge.audit.otel;

import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.Settings;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** The setting {@code mirror} of an {@code audit} section, which adds a second sink. */
public record MirrorSetting(Settings audit, boolean isPresent) {
    private static final String OTEL = "otel";
    private static final Set<String> SHARED = Set.of("level", "levels", "redact");

    /** Reads the key; a mistake is noted in the section and reported when the sink calls {@link Settings#finish}. */
    public static MirrorSetting of(Settings audit) {
        var name = audit.text("mirror");
        if (name.isPresent() && !name.get().equals(OTEL)) {
            audit.reject("mirror", "'otel', or left out");
        }
        return new MirrorSetting(audit, name.isPresent());
    }

    /**
     * The sink, with its mirror if the key is set; both are closed together.
     *
     * @param records makes the records of the sink
     */
    public AuditSink beside(AuditSink first, AuditRecords records, Environment environment) {
        if (!isPresent) {
            return first;
        }
        try {
            var mirror = OtelAuditSinkProvider.mirror(audit.only(SHARED), records, environment);
            return new MirroredAuditSink(first, mirror, environment.logger());
        } catch (RuntimeException e) {
            first.close();
            throw e;
        }
    }

    /**
     * Passes each event to two sinks. Completions and health come from the first; a failure of the mirror does not
     * affect it.
     *
     * <p>As thread-safe as the two sinks.
     */
    static final class MirroredAuditSink implements AuditSink {
        private static final Completion IGNORED = new Completion() {
            @Override
            public void succeeded() {}

            @Override
            public void failed(Throwable why) {}
        };

        private final AuditSink first;
        private final AuditSink mirror;
        private final System.Logger logger;
        private final AtomicBoolean hasFailed = new AtomicBoolean();

        /** Makes a sink of two open sinks, which it closes with itself. */
        public MirroredAuditSink(AuditSink first, AuditSink mirror, System.Logger logger) {
            this.first = first;
            this.mirror = mirror;
            this.logger = logger;
        }

        @Override
        public void enter(ToolEnter event, Completion durable) {
            first.enter(event, durable);
            mirror(() -> mirror.enter(event, IGNORED));
        }

        @Override
        public void exit(ToolExit event, Completion durable) {
            first.exit(event, durable);
            mirror(() -> mirror.exit(event, IGNORED));
        }

        @Override
        public void denied(ToolDenied event) {
            first.denied(event);
            mirror(() -> mirror.denied(event));
        }

        @Override
        public void note(AuditNote note) {
            first.note(note);
            mirror(() -> mirror.note(note));
        }

        /** Passes an event to the mirror; its first failure is logged. */
        private void mirror(Runnable event) {
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
        public Optional<String> fault() {
            return first.fault();
        }

        @Override
        public boolean isStopped() {
            return first.isStopped();
        }

        @Override
        public List<GaugeReading> readings() {
            return first.readings();
        }

        @Override
        public void close() {
            try {
                first.close();
            } finally {
                mirror(mirror::close);
            }
        }
    }
}
