package io.mcpbridge.audit.internal;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.spi.AuditNote;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * The records behind the last checkpoint of a trail of files, and whether a writer leaves such ones behind. The writer, the
 * verifier and the start of a sink have their bounds from here. For one thread at a time.
 *
 * <p>A segment ends with a checkpoint, which is on the device before the next one is begun; within a segment there is one
 * after so many records or so long. Checkpoints that were cut off to write records anew show as more than that.
 */
public final class Uncovered {
    /** So many records behind the last checkpoint make the writer sign another one, however fast they come. */
    public static final int MOST_RECORDS = 8_000;

    /** As old as the oldest of them becomes. */
    public static final Duration LONGEST = Duration.ofSeconds(60);

    /** A group that is written before the writer looks, and what starts say that are killed before they sign. */
    private static final int ROOM = 1_000;

    /** A disk that answers late makes them older. */
    private static final Duration CLEARLY_TOO_LONG = LONGEST.multipliedBy(5);

    /** What a segment begins with where the one before was left since its disk failed. */
    private static final Set<String> FAILURES = Set.of(AuditNote.GAP, "sync-failed");

    private final long vouched;
    private long count;
    private long through;
    private boolean isBehindEnd;
    private boolean isBehindFault;
    private Duration span = Duration.ZERO;
    private Instant latest = Instant.MAX;

    /** @param vouched the last record for which a checkpoint vouches */
    public Uncovered(long vouched) {
        this.vouched = vouched;
    }

    /**
     * Takes in the next record; one that is covered is passed over.
     *
     * @param first the first record of its segment
     */
    public void read(AuditLine record, long first) {
        if (record.sequence() <= vouched) {
            return;
        }
        through = record.sequence();
        count += isEndedByStart(record) ? 0 : 1;
        if (record.sequence() == first && first - 1 > vouched) {
            var isExplained = FAILURES.contains(record.text("kind").orElse(""));
            isBehindEnd |= !isExplained;
            isBehindFault |= isExplained;
        }
        age(record.time());
    }

    /** There may be as many of them as calls were open. */
    private static boolean isEndedByStart(AuditLine record) {
        return record.type() == RecordType.EXIT
                && Boolean.TRUE.equals(record.data().get("inDoubt"))
                && record.number("durationMs").isEmpty();
    }

    /** Adds up the time in which records went on: where none came for so long, the writer or its machine stood still. */
    private void age(Instant time) {
        if (time.isAfter(latest)) {
            var pause = Duration.between(latest, time);
            span = pause.compareTo(LONGEST) > 0 ? span : span.plus(pause);
        }
        latest = latest.equals(Instant.MAX) || time.isAfter(latest) ? time : latest;
    }

    /** What no writer leaves behind while its disk takes checkpoints, in words; empty where there is nothing of the kind. */
    public Optional<String> fault() {
        if (isBehindEnd) {
            return Optional.of(words("in a segment that ended, and each ends with one"));
        }
        return count > MOST_RECORDS + ROOM
                ? Optional.of(words("and there is one after %d records at the latest".formatted(MOST_RECORDS)))
                : Optional.empty();
    }

    /** What a disk or a clock may have brought about too. */
    public Optional<String> remark() {
        if (isBehindFault) {
            return Optional.of(words("in a segment that ended, as it may after the fault that the trail tells of"));
        }
        return span.compareTo(CLEARLY_TOO_LONG) > 0
                ? Optional.of(words("though by their times they came in %d s, and there is one after %d s at the latest"
                        .formatted(span.toSeconds(), LONGEST.toSeconds())))
                : Optional.empty();
    }

    private String words(String why) {
        return "records %d to %d have no checkpoint, %s: it was taken away, or the disk did not take it"
                .formatted(vouched + 1, through, why);
    }
}
