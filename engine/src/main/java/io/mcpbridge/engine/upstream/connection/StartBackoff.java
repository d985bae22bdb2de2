package io.mcpbridge.engine.upstream.connection;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.JitteredBackoff;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Delays new connections after one failed or ended before it was useful, so that a server that ends at once is not
 * restarted in a loop. Optionally limits the starts of a server's process per minute. Any thread.
 */
public final class StartBackoff {
    private static final JitteredBackoff PAUSE = new JitteredBackoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    private static final Duration WINDOW = Duration.ofSeconds(60);

    private final Timekeeper timekeeper;
    private final RandomGenerator random;
    private final Limit limit;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Pause pause;
    private volatile @Nullable Failure lastFailure;

    @GuardedBy("lock")
    private long windowBegin;

    @GuardedBy("lock")
    private int starts;

    /** The pause after some failures in a row. */
    private record Pause(int failures, long until, Failure why) {}

    /**
     * How often a process may start within a minute.
     *
     * @param max how many starts are allowed
     * @param message what the server did, with places for the number and the seconds
     */
    public record Limit(int max, String message) {
        /** For servers that are no processes of the bridge. */
        public static final Limit NONE = new Limit(Integer.MAX_VALUE, "");

        /** Where each start counts. */
        public static Limit perMinute(int max) {
            return new Limit(max, "was started %d times within %d s, which is the limit 'starts-per-minute'");
        }

        /** Where only starts count that failed. */
        public static Limit failedPerMinute(int max) {
            return new Limit(max, "failed to start %d times within %d s, which is the limit 'starts-per-minute'");
        }
    }

    public StartBackoff(Timekeeper timekeeper, RandomGenerator random, Limit limit) {
        this.timekeeper = timekeeper;
        this.random = random;
        this.limit = limit;
    }

    /** Notes the end of a useful connection, which resets the count of failures. */
    public void ended(Failure why) {
        lastFailure = why;
        pause = null;
    }

    /** Resets the count of failures. */
    public void succeeded() {
        pause = null;
    }

    /** Notes that a connection failed or ended before it was useful, which delays the next one. */
    public void failed(Failure why) {
        lastFailure = why;
        var before = pause;
        var failures = before == null ? 1 : before.failures + 1;
        var nanos = PAUSE.after(failures, random).toNanos();
        pause = new Pause(failures, timekeeper.nanoTime() + nanos, why);
    }

    /** Counts the start of a new connection. */
    public void begun() {
        lock.lock();
        try {
            var now = timekeeper.nanoTime();
            if (starts == 0 || now - windowBegin >= WINDOW.toNanos()) {
                windowBegin = now;
                starts = 0;
            }
            starts++;
        } finally {
            lock.unlock();
        }
    }

    /** Counts another start for the same connection; false, without counting it, if there were too many. */
    public boolean beginsAgain() {
        var isAllowed = limitPause().isZero();
        if (isAllowed) {
            begun();
        }
        return isAllowed;
    }

    /** How long the limit forbids another start; zero if it allows one. */
    public Duration limitPause() {
        lock.lock();
        try {
            var left = WINDOW.toNanos() - (timekeeper.nanoTime() - windowBegin);
            return starts < limit.max || left <= 0 ? Duration.ZERO : Duration.ofNanos(left);
        } finally {
            lock.unlock();
        }
    }

    /** How long there may be no new connection, because of failures or the limit; zero if there may be one. */
    public Duration pause() {
        return Duration.ofNanos(Math.max(failurePause(), limitPause().toNanos()));
    }

    /** Whether there may be no new connection now. */
    public boolean rejects() {
        return failurePause() > 0 || !limitPause().isZero();
    }

    private long failurePause() {
        var current = pause;
        return current == null ? 0 : Math.max(0, current.until - timekeeper.nanoTime());
    }

    /** Why there may be no new connection to {@code server} now. */
    public Failure rejection(String server) {
        var rest = limitPause();
        if (!rest.isZero()) {
            var why = lastFailure;
            var message = "server '%s' %s, and is not started again for %d ms; the last reason: %s"
                    .formatted(
                            server,
                            limit.message.formatted(limit.max, WINDOW.toSeconds()),
                            rest.toMillis(),
                            why == null ? "none is known" : why.message());
            return Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, message).withBreakerOpen(rest);
        }
        var current = pause;
        if (current == null) {
            return Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "server '%s' is not connected".formatted(server));
        }
        var wait = Duration.ofNanos(failurePause());
        var message =
                "server '%s' failed %d time(s) in a row and is tried again in %d ms at the earliest; the last reason: %s"
                        .formatted(server, current.failures, wait.toMillis(), current.why.message());
        return Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, message).withBreakerOpen(wait);
    }
}
