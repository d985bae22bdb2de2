package io.mcpbridge.audit.file;

import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.AuditedCall;
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
 * @param record makes the record
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
                ALWAYS
                        + event.arguments().length()
                        + length(event.call())
                        + length(event.principal())
                        + event.clientId().length()
                        + event.continues().length(),
                records -> records.enter(event, time),
                completion);
    }

    static Pending of(ToolExit event, Instant time, Completion completion) {
        return new Pending(
                Kind.EXIT,
                event.correlationId(),
                ALWAYS
                        + length(event.call())
                        + length(event.principal())
                        + event.clientId().length()
                        + length(event.outcome()),
                records -> records.exit(event, time),
                completion);
    }

    static Pending of(ToolDenied event, Instant time) {
        return new Pending(
                Kind.DENIED,
                event.correlationId(),
                ALWAYS
                        + event.reason().length()
                        + length(event.call())
                        + length(event.principal())
                        + event.clientId().length(),
                records -> records.denied(event, time),
                Nobody.LISTENS);
    }

    static Pending of(AuditNote note, Instant time) {
        var details = note.details().entrySet().stream()
                .mapToLong(each -> each.getKey().length() + each.getValue().length())
                .sum();
        return new Pending(Kind.NOTE, "", ALWAYS + details, records -> records.note(note, time), Nobody.LISTENS);
    }

    /** What a client chose of it; the definition is the catalogue's own. */
    private static long length(AuditedCall call) {
        return call.tool().length();
    }

    private static long length(Principal principal) {
        return principal.name().length();
    }

    private static long length(Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            return failed.failure().message().length();
        }
        return outcome instanceof Outcome.Answered answered
                ? answered.response().length()
                : 0;
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
