package io.mcpbridge.audit.file;

import io.mcpbridge.audit.internal.UsedKey;
import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.AuditedCall;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Makes records, mostly for the writer. Those that somebody waits for are made by whoever brings them, where that is quick
 * and nobody else is at it: what they are about is at hand there, and the writer is sooner done. Any thread.
 */
final class RecordMaker {
    /** How many bytes are quick to look at. */
    private static final int FEW_BYTES = 8 << 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final AuditRecords records;

    RecordMaker(AuditRecords records) {
        this.records = records;
    }

    /** The event with its record made, or as it was; never waits. */
    Pending tryMake(Pending event, AuditedCall call) {
        var isQuick = event.bytes() <= FEW_BYTES && call.definition().length() <= FEW_BYTES;
        if (!isQuick || !event.completion().isAwaited() || !lock.tryLock()) {
            return event;
        }
        try {
            return event.with(event.record().apply(records));
        } catch (RuntimeException | Error unfit) {
            // The writer will find that too, and tells.
            return event;
        } finally {
            lock.unlock();
        }
    }

    /** The record of an event. */
    RecordBody make(Pending event) {
        return locked(event.record());
    }

    /** Sees that the key is kept with which secrets are hashed; the note that it is another one than was used. */
    Optional<AuditNote> keepKey(UsedKey used) {
        return locked(maker -> {
            maker.keepKey();
            return used.otherThan(maker);
        });
    }

    /** The record of what belongs to no call. */
    RecordBody note(AuditNote note, Instant time) {
        return locked(maker -> maker.note(note, time));
    }

    /** The exit of a call that an earlier process did not end. */
    RecordBody inDoubt(AuditLine enter, Instant time) {
        return locked(maker -> maker.inDoubt(enter, time));
    }

    private <T> T locked(Function<AuditRecords, T> work) {
        lock.lock();
        try {
            return work.apply(records);
        } finally {
            lock.unlock();
        }
    }
}
