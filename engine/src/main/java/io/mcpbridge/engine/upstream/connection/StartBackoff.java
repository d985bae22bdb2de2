package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.call.JitteredBackoff;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Delays new connections after one was lost, failed or ended before it was useful, and keeps an interval between the
 * starts of a server's process, so that a server that ends at once is not restarted in a loop. Any thread.
 */
public final class StartBackoff {
    private static final JitteredBackoff PAUSE = new JitteredBackoff(Duration.ofMillis(500), Duration.ofSeconds(30));

    private final Timekeeper timekeeper;
    private final RandomGenerator random;
    private final Duration interval;
    private volatile @Nullable Pause pause;
    private volatile @Nullable Failure lastFailure;

    /** The end of the interval after the last start. */
    private volatile long intervalEnd;

    /** The pause after some failures in a row. */
    private record Pause(int failures, long until) {}

    /** @param interval the shortest time between two starts; zero for servers that are no processes of the bridge */
    public StartBackoff(Timekeeper timekeeper, RandomGenerator random, Duration interval) {
        this.timekeeper = timekeeper;
        this.random = random;
        this.interval = interval;
        this.intervalEnd = timekeeper.nanoTime();
    }

    /** Notes the loss of a useful connection, which resets the count of failures; the next one follows after a time. */
    public void ended(Failure why, Duration wait) {
        lastFailure = why;
        pause = new Pause(0, timekeeper.nanoTime() + wait.toNanos());
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
        pause = new Pause(failures, timekeeper.nanoTime() + nanos);
    }

    /** Notes the start of a new connection. */
    public void begun() {
        intervalEnd = timekeeper.nanoTime() + interval.toNanos();
    }

    /** How long the interval between starts forbids another one; zero if it allows one. */
    public Duration intervalPause() {
        return Duration.ofNanos(Math.max(0, intervalEnd - timekeeper.nanoTime()));
    }

    /** How long there may be no new connection; zero if there may be one. */
    public Duration pause() {
        return Duration.ofNanos(Math.max(failurePause(), intervalPause().toNanos()));
    }

    /** Whether there may be no new connection now. */
    public boolean rejects() {
        return !pause().isZero();
    }

    private long failurePause() {
        var current = pause;
        return current == null ? 0 : Math.max(0, current.until - timekeeper.nanoTime());
    }

    /** Why there may be no new connection to {@code server} now. */
    public Failure rejection(String server) {
        var wait = pause();
        var message = "server '%s' %s and may connect again in %d ms at the earliest; the last reason: %s"
                .formatted(server, history(), wait.toMillis(), reason());
        return Failure.of(code(), message).withBreakerOpen(wait);
    }

    /** A server that cannot start, or speaks no known revision, is not expected to come back by itself. */
    private ErrorCode code() {
        var why = lastFailure;
        return why != null && why.code() == ErrorCode.PROVIDER_INIT_FAILED
                ? ErrorCode.PROVIDER_INIT_FAILED
                : ErrorCode.PROVIDER_UNAVAILABLE;
    }

    private String history() {
        var current = pause;
        if (current == null) {
            return "was started a moment ago";
        }
        return current.failures == 0 ? "was lost" : "failed %d time(s) in a row".formatted(current.failures);
    }

    private String reason() {
        var why = lastFailure;
        return why == null ? "none is known" : why.message();
    }
}
