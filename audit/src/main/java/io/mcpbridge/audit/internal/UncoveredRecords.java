package io.mcpbridge.audit.internal;

import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.spi.AuditSink.AuditNote;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Checks whether the records after the last checkpoint of a trail of files are more than a regular writer leaves. The
 * writer, the verifier and the start of a sink share these bounds. For one thread.
 *
 * <p>A segment ends with a checkpoint, which is on the device before the next segment begins; within a segment a
 * checkpoint follows after a number of records or a time. If an attacker cuts off checkpoints to rewrite records, more
 * records are uncovered.
 */
public final class UncoveredRecords {
    /** The number of uncovered records at which the writer signs a checkpoint regardless of its interval. */
    public static final int MAX_RECORDS = 8_000;

    /** The longest time that a record is uncovered. */
    public static final Duration MAX_AGE = Duration.ofSeconds(60);

    /** Tolerance for one group of records, and for the notes of starts that are killed before they sign. */
    private static final int ROOM = 1_000;

    /** The age from which on uncovered records are reported; a slow disk delays checkpoints beyond {@link #MAX_AGE}. */
    private static final Duration CLEARLY_TOO_LONG = MAX_AGE.multipliedBy(5);

    /** The kinds of the first note in a segment that began because the disk of the segment before failed. */
    private static final Set<String> FAILURES = Set.of(AuditNote.GAP, "sync-failed");

    private final long covered;
    private long count;
    private long through;
    private boolean isBehindEnd;
    private boolean isBehindFault;
    private Duration span = Duration.ZERO;
    private Instant latest = Instant.MAX;

    /** @param covered the last record that a checkpoint covers */
    public UncoveredRecords(long covered) {
        this.covered = covered;
    }

    /**
     * Counts the next record, unless a checkpoint covers it.
     *
     * @param first the first record of its segment
     */
    public void read(ParsedRecord record, long first) {
        if (record.sequence() <= covered) {
            return;
        }
        through = record.sequence();
        count += isEndedByStart(record) ? 0 : 1;
        if (record.sequence() == first && first - 1 > covered) {
            var isExplained = FAILURES.contains(record.text("kind").orElse(""));
            isBehindEnd |= !isExplained;
            isBehindFault |= isExplained;
        }
        age(record.time());
    }

    /** Whether a start ended the call of this exit: these do not count, since there are as many as calls were open. */
    private static boolean isEndedByStart(ParsedRecord record) {
        return record.type() == RecordType.EXIT
                && Boolean.TRUE.equals(record.data().get("inDoubt"))
                && record.number("durationMs").isEmpty();
    }

    /** Adds the time between records; a longer pause means that the writer or its machine was suspended. */
    private void age(Instant time) {
        if (time.isAfter(latest)) {
            var pause = Duration.between(latest, time);
            span = pause.compareTo(MAX_AGE) > 0 ? span : span.plus(pause);
        }
        latest = latest.equals(Instant.MAX) || time.isAfter(latest) ? time : latest;
    }

    /** A state that a regular writer never leaves unless its disk rejects checkpoints; empty if there is none. */
    public Optional<String> fault() {
        if (isBehindEnd) {
            return Optional.of(words("in a segment that ended, and each ends with one"));
        }
        return count > MAX_RECORDS + ROOM
                ? Optional.of(words("and there is one after %d records at the latest".formatted(MAX_RECORDS)))
                : Optional.empty();
    }

    /** A state that a disk or a clock may also have caused; empty if there is none. */
    public Optional<String> remark() {
        if (isBehindFault) {
            return Optional.of(words("in a segment that ended, as it may after the fault that the trail notes"));
        }
        return span.compareTo(CLEARLY_TOO_LONG) > 0
                ? Optional.of(words("though by their times they came in %d s, and there is one after %d s at the latest"
                        .formatted(span.toSeconds(), MAX_AGE.toSeconds())))
                : Optional.empty();
    }

    private String words(String why) {
        return "records %d to %d have no checkpoint, %s: it was taken away, or the disk did not take it"
                .formatted(covered + 1, through, why);
    }
}
