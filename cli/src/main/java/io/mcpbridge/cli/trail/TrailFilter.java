package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.record.ParsedRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;

/**
 * Selects the entries of a trail by time and by a predicate.
 *
 * @param since excludes entries that ended before
 * @param until excludes entries that began after
 * @param wanted accepts entries by all other criteria
 */
public record TrailFilter(Instant since, Instant until, Predicate<TrailEntry> wanted) {
    /** Accepts all entries. */
    public static final TrailFilter ALL = new TrailFilter(Instant.MIN, Instant.MAX, entry -> true);

    /** The longest call whose enter is searched for before {@link #since}. */
    private static final Duration LONGEST_CALL = Duration.ofMinutes(10);

    /** Tolerance for a clock that was set back. */
    private static final Duration CLOCK_SLACK = Duration.ofMinutes(1);

    boolean matches(ParsedRecord record, TrailEntry entry) {
        return !record.time().isBefore(since) && isBegunInTime(entry) && wanted.test(entry);
    }

    boolean isBegunInTime(TrailEntry entry) {
        return !entry.begun().time().isAfter(until);
    }

    /** The time from which the trail is read, early enough to find the enters of calls in flight at {@code since}. */
    Instant earliest() {
        return since.equals(Instant.MIN) ? since : since.minus(LONGEST_CALL);
    }

    /** Whether only exits of accepted calls can follow after this record. */
    boolean isPast(ParsedRecord record) {
        return !until.equals(Instant.MAX) && record.time().isAfter(until.plus(CLOCK_SLACK));
    }
}
