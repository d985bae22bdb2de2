package io.mcpbridge.audit.file;

import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.ToolDenied;
import io.mcpbridge.spi.ToolEnter;
import io.mcpbridge.spi.ToolExit;
import java.time.Instant;
import java.util.function.Function;

/**
 * An event that waits for its record.
 *
 * @param kind of the event
 * @param correlationId of its call; empty for a note
 * @param bytes about how much memory it holds
 * @param record makes the record, on the writer's thread
 * @param completion hears what became of it
 */
record Pending(
        Kind kind, String correlationId, long bytes, Function<AuditRecords, RecordBody> record, Completion completion) {
    private static final int ALWAYS = 512;

    /** What is counted apart where records are lost. */
    enum Kind {
        ENTER,
        EXIT,
        DENIED,
        NOTE
    }

    static Pending of(ToolEnter event, Instant time, Completion completion) {
        return new Pending(
                Kind.ENTER,
                event.correlationId(),
                ALWAYS + event.arguments().length(),
                records -> records.enter(event, time),
                completion);
    }

    static Pending of(ToolExit event, Instant time, Completion completion) {
        var answer = event.outcome() instanceof Outcome.Answered answered
                ? answered.response().length()
                : 0;
        return new Pending(
                Kind.EXIT, event.correlationId(), ALWAYS + answer, records -> records.exit(event, time), completion);
    }

    static Pending of(ToolDenied event, Instant time) {
        return new Pending(
                Kind.DENIED,
                event.correlationId(),
                ALWAYS + event.reason().length(),
                records -> records.denied(event, time),
                Nobody.LISTENS);
    }

    static Pending of(AuditNote note, Instant time) {
        return new Pending(Kind.NOTE, "", ALWAYS, records -> records.note(note, time), Nobody.LISTENS);
    }

    /** What hears nothing: denials and notes have no completion. */
    private enum Nobody implements Completion {
        LISTENS;

        @Override
        public void succeeded() {}

        @Override
        public void failed(Throwable why) {}

        @Override
        public boolean isAwaited() {
            return false;
        }
    }
}
