package io.mcpbridge.audit.internal;

import static java.util.Objects.requireNonNull;

import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.call.Principal;
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

/**
 * A record that is not written yet. Its completion runs once, on the first thread that completes it.
 *
 * <p>The thread that offers an event also makes its record: neither the time that takes nor the memory of the event
 * burdens the queue.
 */
public final class PendingRecord {
    private static final long FIXED_BYTES = 512;

    private final RecordType kind;
    private final String correlationId;
    /** The caller; null for notes. */
    private final @Nullable Principal principal;
    /** Null for denials and notes. */
    private final @Nullable Completion completion;

    private final Instant time;
    private final long offeredNanos;
    private final AtomicBoolean isCompleted = new AtomicBoolean();

    /** Makes the record of the event that it holds; null afterwards. */
    private @Nullable BiFunction<AuditRecords, Instant, RecordBody> maker;

    private @Nullable RecordBody body;

    private PendingRecord(
            RecordType kind,
            @Nullable AuditedCall call,
            BiFunction<AuditRecords, Instant, RecordBody> maker,
            @Nullable Completion completion,
            Timekeeper timekeeper) {
        this.kind = kind;
        this.correlationId = call == null ? "" : call.correlationId();
        this.principal = call == null ? null : call.principal();
        this.maker = maker;
        this.completion = completion;
        this.time = timekeeper.now();
        this.offeredNanos = timekeeper.nanoTime();
    }

    static PendingRecord of(ToolEnter event, Completion completion, Timekeeper timekeeper) {
        return new PendingRecord(
                RecordType.ENTER, event.call(), (records, time) -> records.enter(event, time), completion, timekeeper);
    }

    static PendingRecord of(ToolExit event, Completion completion, Timekeeper timekeeper) {
        return new PendingRecord(
                RecordType.EXIT, event.call(), (records, time) -> records.exit(event, time), completion, timekeeper);
    }

    static PendingRecord of(ToolDenied event, Timekeeper timekeeper) {
        return new PendingRecord(
                RecordType.DENIED, event.call(), (records, time) -> records.denied(event, time), null, timekeeper);
    }

    static PendingRecord of(AuditNote note, Timekeeper timekeeper) {
        return new PendingRecord(RecordType.NOTE, null, (records, time) -> records.note(note, time), null, timekeeper);
    }

    /** Makes the record and drops the event. For the thread that offers the event, once and first. */
    void make(AuditRecords records) {
        body = requireNonNull(maker).apply(records, time);
        maker = null;
    }

    public RecordType kind() {
        return kind;
    }

    /** The correlation id of the call; empty for a note. */
    public String correlationId() {
        return correlationId;
    }

    /** The caller; null for a note. */
    @Nullable
    Principal principal() {
        return principal;
    }

    /** The record. */
    public RecordBody body() {
        return requireNonNull(body);
    }

    /** The approximate size of the record in memory, in bytes. */
    long bytes() {
        return FIXED_BYTES + body().length();
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
