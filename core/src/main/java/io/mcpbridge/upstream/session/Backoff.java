package io.mcpbridge.upstream.session;

import io.mcpbridge.call.DoublingPause;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Closed;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Holds new connections off for a while after one could not be made or ended before it was of use, so that a server
 * which ends at once is not started over and over. Any thread may use it.
 */
public final class Backoff {
    private static final DoublingPause PAUSE = new DoublingPause(Duration.ofMillis(500), Duration.ofSeconds(30));

    private record Hold(int failures, long until, Failure last) {}

    private final Timekeeper timekeeper;
    private final RandomGenerator random;
    private final Starts starts;
    private volatile @Nullable Hold hold;
    private volatile @Nullable Failure last;

    public Backoff(Timekeeper timekeeper, RandomGenerator random) {
        this(timekeeper, random, Starts.unlimited(timekeeper));
    }

    /** Holds off what was started too often, too. */
    public Backoff(Timekeeper timekeeper, RandomGenerator random, Starts starts) {
        this.starts = starts;
        this.timekeeper = timekeeper;
        this.random = random;
    }

    /** A connection ended, which counts as a failure if it was of no use. */
    public void ended(SessionUse use, Closed why) {
        last = why.toFailure();
        if (use.wasWorthIt()) {
            hold = null;
        } else {
            failed(why.toFailure());
        }
    }

    /** What was tried works, so the next failure is the first again. */
    public void succeeded() {
        hold = null;
    }

    public void failed(Failure why) {
        last = why;
        var before = hold;
        var failures = before == null ? 1 : before.failures + 1;
        var nanos = PAUSE.after(failures, random).toNanos();
        hold = new Hold(failures, timekeeper.nanoTime() + nanos, why);
    }

    /** A connection is about to be made. */
    public void begun() {
        starts.begun();
    }

    /** Counts one more start of what is being connected already; false if there were too many of late. */
    public boolean beginsAgain() {
        var isFree = heldOff().isZero();
        if (isFree) {
            begun();
        }
        return isFree;
    }

    /** How long there may be no further start, because there were many of late; zero if there may be one. */
    public Duration heldOff() {
        return starts.heldOff();
    }

    /** How long there may be no further connection, for whatever reason; zero if there may be one. */
    public Duration pause() {
        var current = hold;
        var rest = current == null ? 0 : Math.max(0, current.until - timekeeper.nanoTime());
        return Duration.ofNanos(Math.max(rest, heldOff().toNanos()));
    }

    public boolean holdsOff() {
        var current = hold;
        return !heldOff().isZero() || (current != null && current.until - timekeeper.nanoTime() > 0);
    }

    public Failure refusal(String server) {
        var rest = heldOff();
        if (!rest.isZero()) {
            var why = last;
            var reason = why == null ? "none is known" : why.message();
            var words = "server '%s' %s, and is held off for %d ms; the last reason: %s"
                    .formatted(server, starts.words(), rest.toMillis(), reason);
            return Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, words).withHoldOff(rest);
        }
        var current = hold;
        if (current == null) {
            return Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "server '%s' is not connected".formatted(server));
        }
        var wait = Duration.ofNanos(Math.max(0, current.until - timekeeper.nanoTime()));
        var message =
                "server '%s' failed %d time(s) in a row and is tried again in %d ms at the earliest; the last reason:"
                        + " %s";
        return Failure.of(
                        ErrorCode.PROVIDER_UNAVAILABLE,
                        message.formatted(server, current.failures, wait.toMillis(), current.last.message()))
                .withHoldOff(wait);
    }
}
