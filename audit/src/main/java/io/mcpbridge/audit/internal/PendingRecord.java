package io.mcpbridge.audit.internal;

import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.Completion;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An event whose record is not written yet. Its completion runs once, on the first thread that completes it. */
public final class PendingRecord {
    private static final int FIXED_BYTES = 512;

    private final RecordType kind;
    private final String correlationId;
    private final long bytes;
    private final BiFunction<AuditRecords, Instant, RecordBody> record;
    /** Null for denials and notes. */
    private final @Nullable Completion completion;

    private final Instant time;
    private final long offeredNanos;
    private final AtomicBoolean isCompleted = new AtomicBoolean();

    private PendingRecord(
            RecordType kind,
            String correlationId,
            long bytes,
            BiFunction<AuditRecords, Instant, RecordBody> record,
            @Nullable Completion completion,
            Timekeeper timekeeper) {
        this.kind = kind;
        this.correlationId = correlationId;
        this.bytes = FIXED_BYTES + bytes;
        this.record = record;
        this.completion = completion;
        this.time = timekeeper.now();
        this.offeredNanos = timekeeper.nanoTime();
    }

    static PendingRecord of(ToolEnter event, Completion completion, Timekeeper timekeeper) {
        long bytes = length(event.call()) + length(event.arguments(), event.continues());
        return new PendingRecord(
                RecordType.ENTER,
                event.call().correlationId(),
                bytes,
                (records, time) -> records.enter(event, time),
                completion,
                timekeeper);
    }

    static PendingRecord of(ToolExit event, Completion completion, Timekeeper timekeeper) {
        long bytes = length(event.call()) + length(event.outcome());
        return new PendingRecord(
                RecordType.EXIT,
                event.call().correlationId(),
                bytes,
                (records, time) -> records.exit(event, time),
                completion,
                timekeeper);
    }

    static PendingRecord of(ToolDenied event, Timekeeper timekeeper) {
        long bytes = length(event.call()) + length(event.reason());
        return new PendingRecord(
                RecordType.DENIED,
                event.call().correlationId(),
                bytes,
                (records, time) -> records.denied(event, time),
                null,
                timekeeper);
    }

    static PendingRecord of(AuditNote note, Timekeeper timekeeper) {
        long bytes = length(note.kind(), note.details().toString());
        return new PendingRecord(
                RecordType.NOTE, "", bytes, (records, time) -> records.note(note, time), null, timekeeper);
    }

    /**
     * The length of the texts that a client chose; the definition of the tool is shared with the catalog and not
     * counted.
     */
    private static long length(AuditedCall call) {
        return length(call.method(), call.tool(), call.principal().name(), call.clientId());
    }

    private static long length(String... texts) {
        long length = 0;
        for (var text : texts) {
            length += text.length();
        }
        return length;
    }

    private static long length(Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            return failed.failure().message().length();
        }
        return outcome instanceof Outcome.Answered answered
                ? answered.response().length()
                : 0;
    }

    public RecordType kind() {
        return kind;
    }

    /** The correlation id of the call; empty for a note. */
    public String correlationId() {
        return correlationId;
    }

    /** Makes the record. For the writer. */
    public RecordBody body(AuditRecords records) {
        return record.apply(records, time);
    }

    /** The approximate size of the event in memory, in bytes. */
    long bytes() {
        return bytes;
    }

    long offeredNanos() {
        return offeredNanos;
    }

    /** Whether a caller waits for the record. */
    public boolean isAwaited() {
        return completion != null && completion.isAwaited() && !isCompleted();
    }

    boolean isCompleted() {
        return isCompleted.get();
    }

    /** Completes the event: its record is as durable as the sink promises. */
    public void succeed(System.Logger logger) {
        complete(Completion::succeeded, logger);
    }

    /** Fails the completion: the record is lost or late. A late record may still be written. */
    public void fail(Throwable why, System.Logger logger) {
        complete(each -> each.failed(why), logger);
    }

    private void complete(Consumer<Completion> action, System.Logger logger) {
        if (!isCompleted.compareAndSet(false, true) || completion == null) {
            return;
        }
        try {
            action.accept(completion);
        } catch (Throwable defect) {
            logger.log(
                    System.Logger.Level.ERROR,
                    "[mcp-bridge] a completion of the audit of call '%s' failed".formatted(correlationId),
                    defect);
        }
    }
}
