package io.mcpbridge.retry.breaker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.retry.BackoffSettings.ExponentialBackoff;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * The state machine of a circuit breaker. It only decides; {@link BreakerStage} rejects calls, sends probes and
 * reports.
 *
 * <pre>
 *              too many failures                        open interval over
 *   CLOSED ------------------------&gt; OPEN ---------------------------&gt; HALF_OPEN_PROBE
 *     ^                              ^  |   ^                             |  |
 *     |                              |  |   +-------- probe failed -------+  |
 *     |             half-open call   |  | server connected again             |
 *     |                     failed   |  v                                    |
 *     +----------------------- HALF_OPEN_CALL &lt;----- probe succeeded --------+
 *        half-open call succeeded
 * </pre>
 *
 * <p>CLOSED: every call passes. OPEN and HALF_OPEN_PROBE: none does; the probe is a request of the bridge itself, such
 * as a ping. HALF_OPEN_CALL: one call passes; the next one passes when it has ended, when the server has connected
 * again, or after the half-open wait, which is five seconds or the configured open time, whichever is longer. The first
 * success closes; {@link BreakerStage} decides what a success is. Neither number is a setting. Results of calls that
 * began in an earlier state do not count. Any thread may use it.
 */
final class CircuitBreaker {

    /**
     * After this time, or the open time if that is longer, the next call passes although the half-open call still runs.
     */
    private static final Duration MIN_HALF_OPEN_WAIT = Duration.ofSeconds(5);

    /** The random part of an open interval, which keeps many bridges from probing at the same moment. */
    private static final double JITTER = 0.2;

    private final BreakerSettings settings;
    private final Timekeeper timekeeper;
    private final ReentrantLock lock = new ReentrantLock();

    private volatile State state = State.CLOSED;

    /** The number of state changes; results of an earlier generation do not count. */
    private final AtomicLong generation = new AtomicLong();

    /** The number of lost connections that were counted. */
    private final AtomicLong losses = new AtomicLong();

    @GuardedBy("lock")
    private final FailureWindow window;

    @GuardedBy("lock")
    private int consecutiveFailures;

    /** How long the breaker stays open each time, before jitter. */
    private final ExponentialBackoff openIntervals;

    private final RandomGenerator random;

    /** The number of open intervals since the last reset. */
    @GuardedBy("lock")
    private int openings;

    @GuardedBy("lock")
    private final HalfOpenPermits halfOpenPermits = new HalfOpenPermits();

    @GuardedBy("lock")
    private long changedAt;

    @GuardedBy("lock")
    private long openUntil;

    @GuardedBy("lock")
    private long openSince;

    CircuitBreaker(BreakerSettings settings, Timekeeper timekeeper, RandomGenerator random) {
        this.settings = settings;
        this.timekeeper = timekeeper;
        this.openIntervals = new ExponentialBackoff(settings.openTime(), 2, settings.maxOpenTime());
        this.random = random;
        this.changedAt = timekeeper.nanoTime();
        this.window = new FailureWindow(settings.window(), changedAt);
    }

    State state() {
        return state;
    }

    /** The rest of the open interval; zero once a probe may be sent. */
    Duration remainingOpenTime() {
        lock.lock();
        try {
            return Duration.ofNanos(state == State.OPEN ? Math.max(0, openUntil - timekeeper.nanoTime()) : 0);
        } finally {
            lock.unlock();
        }
    }

    /** Returns for how long no call has passed; empty while calls pass or one may. */
    Optional<Duration> openDuration() {
        lock.lock();
        try {
            var isOpen = state == State.OPEN || state == State.HALF_OPEN_PROBE;
            return isOpen ? Optional.of(Duration.ofNanos(timekeeper.nanoTime() - openSince)) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Asks for a call that begins now; the caller reports its result with the permit. */
    Permit acquire() {
        var number = generation.get();
        if (state == State.CLOSED) {
            return new Permit(true, 0, number, losses.get());
        }
        lock.lock();
        try {
            var halfOpen =
                    state == State.HALF_OPEN_CALL ? halfOpenPermits.acquire(timekeeper.nanoTime(), halfOpenWait()) : 0;
            return new Permit(state == State.CLOSED || halfOpen > 0, halfOpen, generation.get(), losses.get());
        } finally {
            lock.unlock();
        }
    }

    /** Whether the caller is to send the probe now; returns true to one caller only. */
    boolean beginProbe() {
        lock.lock();
        try {
            if (state != State.OPEN || timekeeper.nanoTime() < openUntil) {
                return false;
            }
            transitionTo(State.HALF_OPEN_PROBE);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The probe succeeded: one call may pass. */
    void onProbeSuccess() {
        lock.lock();
        try {
            if (state == State.HALF_OPEN_PROBE) {
                transitionTo(State.HALF_OPEN_CALL);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The probe failed; returns the next open interval, unless the state has changed meanwhile. */
    Optional<Duration> onProbeFailure() {
        lock.lock();
        try {
            return state == State.HALF_OPEN_PROBE ? Optional.of(open()) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** The server was connected again, which proves as much as a probe: one call may pass. */
    void onConnected() {
        lock.lock();
        try {
            if (state == State.OPEN) {
                transitionTo(State.HALF_OPEN_CALL);
            }
            halfOpenPermits.onConnected();
        } finally {
            lock.unlock();
        }
    }

    /** Counts a call that succeeded; true if the breaker closes because of it. */
    boolean onSuccess(Permit permit) {
        lock.lock();
        try {
            if (permit.generation() != generation.get()) {
                return false;
            }
            consecutiveFailures = 0;
            window.count(timekeeper.nanoTime(), false);
            if (permit.isHalfOpen()) {
                transitionTo(State.CLOSED);
            }
            return permit.isHalfOpen();
        } finally {
            lock.unlock();
        }
    }

    /** Counts a call that failed; returns the open interval if the breaker opens because of it. */
    Optional<Duration> onFailure(Permit permit) {
        lock.lock();
        try {
            if (permit.generation() != generation.get()) {
                return Optional.empty();
            }
            if (permit.isHalfOpen()) {
                return halfOpenPermits.counts(permit.halfOpen()) ? Optional.of(open()) : Optional.empty();
            }
            consecutiveFailures++;
            window.count(timekeeper.nanoTime(), true);
            return exceedsLimits() ? Optional.of(open()) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Counts a call that failed with its connection, like {@link #onFailure}. Calls that began before the last counted
     * loss failed with the same connection, and count no more.
     */
    Optional<Duration> onConnectionLost(Permit permit) {
        lock.lock();
        try {
            if (!permit.isHalfOpen() && permit.losses() != losses.get()) {
                return Optional.empty();
            }
            losses.incrementAndGet();
            return onFailure(permit);
        } finally {
            lock.unlock();
        }
    }

    /** A call ended without a result that tells anything about the server; a half-open one gives its permit back. */
    void onIgnored(Permit permit) {
        lock.lock();
        try {
            if (permit.isHalfOpen() && permit.generation() == generation.get()) {
                halfOpenPermits.release(permit.halfOpen());
            }
        } finally {
            lock.unlock();
        }
    }

    private long halfOpenWait() {
        return Math.max(MIN_HALF_OPEN_WAIT.toNanos(), settings.openTime().toNanos());
    }

    @GuardedBy("lock")
    private boolean exceedsLimits() {
        return consecutiveFailures >= settings.consecutive()
                || (window.calls() >= settings.minimumCalls()
                        && window.failures() * 100L >= (long) settings.failurePercent() * window.calls());
    }

    /** Opens; the intervals start anew if the breaker was closed for a whole window. */
    @GuardedBy("lock")
    private Duration open() {
        var now = timekeeper.nanoTime();
        if (state == State.CLOSED && now - changedAt >= settings.window().toNanos()) {
            openings = 0;
        }
        var factor = 1 - JITTER + 2 * JITTER * random.nextDouble();
        var interval = Duration.ofNanos((long) (openIntervals.after(++openings).toNanos() * factor));
        openSince = state == State.HALF_OPEN_PROBE ? openSince : now;
        transitionTo(State.OPEN);
        openUntil = now + interval.toNanos();
        return interval;
    }

    @GuardedBy("lock")
    private void transitionTo(State next) {
        var now = timekeeper.nanoTime();
        generation.incrementAndGet();
        state = next;
        changedAt = now;
        consecutiveFailures = 0;
        halfOpenPermits.clear();
        window.clear(now);
    }

    enum State {
        CLOSED,
        OPEN,
        /** A probe of the bridge is in flight or due; no call passes. */
        HALF_OPEN_PROBE,
        /** The probe was answered or the server connected again; single calls pass. */
        HALF_OPEN_CALL
    }

    /**
     * The answer to {@link #acquire}.
     *
     * @param passes whether the call may begin
     * @param halfOpen its number among the half-open calls; 0 if it is none
     * @param generation the generation in which it began
     * @param losses the number of losses counted when it began
     */
    record Permit(boolean passes, long halfOpen, long generation, long losses) {
        boolean isHalfOpen() {
            return halfOpen > 0;
        }
    }

    /** The calls that pass one after another while the breaker is half open. Guarded by the lock of the breaker. */
    private static final class HalfOpenPermits {
        private boolean isTaken;
        private long takenAt;
        private long last;

        /** The last number before the server was connected again; 0 if it was not. */
        private long lastBeforeConnect;

        /**
         * Takes the permit, unless another call took it less than {@code wait} ago and has not ended.
         *
         * @return the number of the call, from 1; 0 if it may not begin
         */
        long acquire(long now, long wait) {
            if (isTaken && now - takenAt < wait) {
                return 0;
            }
            isTaken = true;
            takenAt = now;
            last++;
            return last;
        }

        /**
         * Releases the permit, since the server was connected again. At the first connect of a half-open period,
         * failures of calls that began earlier stop to count: these calls may have used the lost connection. At later
         * connects they still count, since a server may fail after each connect. A success always counts.
         */
        void onConnected() {
            if (lastBeforeConnect == 0) {
                lastBeforeConnect = last;
            }
            isTaken = false;
        }

        /** Whether a failure of the call with this number counts. */
        boolean counts(long number) {
            return number > lastBeforeConnect;
        }

        void release(long number) {
            if (number == last) {
                isTaken = false;
            }
        }

        void clear() {
            isTaken = false;
            last = 0;
            lastBeforeConnect = 0;
        }
    }
}
