package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.record.AuditLine;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;

/**
 * The entries of a trail that a user wants to see.
 *
 * @param since what ended before is not
 * @param until what began after it is not
 * @param wanted says the rest
 */
public record TrailFilter(Instant since, Instant until, Predicate<TrailEntry> wanted) {
    /** Everything. */
    public static final TrailFilter ALL = new TrailFilter(Instant.MIN, Instant.MAX, entry -> true);

    /** The longest call whose beginning is looked for. */
    private static final Duration LONGEST_CALL = Duration.ofMinutes(10);

    /** So much may the clock have been set back, and records still be found. */
    private static final Duration CLOCK_SLACK = Duration.ofMinutes(1);

    boolean matches(AuditLine record, TrailEntry entry) {
        return !record.time().isBefore(since) && isBegunInTime(entry) && wanted.test(entry);
    }

    boolean isBegunInTime(TrailEntry entry) {
        return !entry.begun().time().isAfter(until);
    }

    /**
     * The time from which the trail is read, so that calls that were under way at {@code since} are seen as a whole.
     */
    Instant earliest() {
        return since.equals(Instant.MIN) ? since : since.minus(LONGEST_CALL);
    }

    /** Whether only ends can come from this record on. */
    boolean isPast(AuditLine record) {
        return !until.equals(Instant.MAX) && record.time().isAfter(until.plus(CLOCK_SLACK));
    }
}
