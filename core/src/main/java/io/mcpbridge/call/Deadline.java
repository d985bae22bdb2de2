package io.mcpbridge.call;

import java.time.Duration;

/**
 * A moment on the monotonic clock of one {@link Timekeeper}, after which nobody waits any more. Immutable.
 */
public final class Deadline {
    private static final long FAR = Long.MAX_VALUE / 4;

    private final Timekeeper timekeeper;
    private final long at;
    private final Duration span;

    private Deadline(Timekeeper timekeeper, long at, Duration span) {
        this.timekeeper = timekeeper;
        this.at = at;
        this.span = span;
    }

    /** The moment {@code span} from now; longer than zero. */
    public static Deadline after(Duration span, Timekeeper timekeeper) {
        if (span.isNegative() || span.isZero()) {
            throw new IllegalArgumentException("a deadline must lie ahead, but the span is " + span);
        }
        var nanos = span.compareTo(Duration.ofNanos(FAR)) < 0 ? span.toNanos() : FAR;
        return new Deadline(timekeeper, timekeeper.nanoTime() + nanos, span);
    }

    /** The time left, zero once the moment has passed. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, at - timekeeper.nanoTime()));
    }

    public boolean isExpired() {
        return at - timekeeper.nanoTime() <= 0;
    }

    /** The span it was made with, for messages. */
    public Duration span() {
        return span;
    }

    /** The earlier of the two; both must come from the same timekeeper. */
    public Deadline earlier(Deadline other) {
        return at - other.at <= 0 ? this : other;
    }

    /** Runs {@code action} when the moment comes. */
    public Timekeeper.Alarm alarm(Runnable action) {
        return timekeeper.schedule(remaining(), action);
    }

    @Override
    public String toString() {
        return "in " + remaining().toMillis() + " ms of " + span.toMillis() + " ms";
    }
}
