package io.mcpbridge.retry.breaker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * Whether calls pass: closed, they do; open, none does for a while; then a probe that is nobody's call has to succeed,
 * and after it one call on trial. Decides only; whoever asks tells others and probes. Any thread.
 */
final class CircuitBreaker {
    /** For so long one call on trial keeps the others away, at the least. */
    private static final Duration SHORTEST_TRIAL = Duration.ofSeconds(5);

    enum State {
        CLOSED,
        OPEN,
        PROBING,
        TRIAL
    }

    /**
     * What a call may do: whether it passes, and what it counts for when it ends.
     *
     * @param trial its number among the calls on trial; 0 if it is none
     * @param losses how many losses of a connection had been counted when it came
     */
    record Permit(boolean passes, long trial, long generation, long losses) {
        boolean isTrial() {
            return trial > 0;
        }
    }

    private final BreakerSettings settings;
    private final Timekeeper timekeeper;
    private final ReentrantLock lock = new ReentrantLock();

    private volatile State state = State.CLOSED;

    /** Grows with each change of state; what began in another one counts for nothing. */
    private final AtomicLong generation = new AtomicLong();

    /** Losses of a connection that were counted. */
    private final AtomicLong losses = new AtomicLong();

    @GuardedBy("lock")
    private final FailureWindow window;

    @GuardedBy("lock")
    private int consecutive;

    @GuardedBy("lock")
    private final OpenTimes openTimes;

    @GuardedBy("lock")
    private long changedAt;

    @GuardedBy("lock")
    private long until;

    @GuardedBy("lock")
    private long heldOffAt;

    @GuardedBy("lock")
    private final Trials trials = new Trials();

    CircuitBreaker(BreakerSettings settings, Timekeeper timekeeper, RandomGenerator random) {
        this.settings = settings;
        this.timekeeper = timekeeper;
        this.openTimes = new OpenTimes(settings.openTime(), settings.maxOpenTime(), random);
        this.changedAt = timekeeper.nanoTime();
        this.window = new FailureWindow(settings.window(), changedAt);
    }

    State state() {
        return state;
    }

    /** How long none passes yet; zero once a probe may be sent. */
    Duration rest() {
        lock.lock();
        try {
            return Duration.ofNanos(state == State.OPEN ? Math.max(0, until - timekeeper.nanoTime()) : 0);
        } finally {
            lock.unlock();
        }
    }

    /** For how long none has passed; empty while calls pass or one may be tried. */
    Optional<Duration> heldOffFor() {
        lock.lock();
        try {
            var isHeldOff = state == State.OPEN || state == State.PROBING;
            return isHeldOff ? Optional.of(Duration.ofNanos(timekeeper.nanoTime() - heldOffAt)) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Asks for a call that comes now. */
    Permit enter() {
        var number = generation.get();
        if (state == State.CLOSED) {
            return new Permit(true, 0, number, losses.get());
        }
        lock.lock();
        try {
            if (state == State.CLOSED) {
                return new Permit(true, 0, generation.get(), losses.get());
            }
            var trial = state == State.TRIAL ? trials.begin(timekeeper.nanoTime(), trialPatience()) : 0;
            return new Permit(trial > 0, trial, generation.get(), losses.get());
        } finally {
            lock.unlock();
        }
    }

    /** Whether whoever asks is to send the probe now, which is due; only one is told so. */
    boolean beginsProbe() {
        lock.lock();
        try {
            if (state != State.OPEN || timekeeper.nanoTime() < until) {
                return false;
            }
            change(State.PROBING);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The server was connected again, which shows as much as a probe: one call may try. */
    void connected() {
        lock.lock();
        try {
            if (state == State.OPEN) {
                change(State.TRIAL);
            }
            trials.connected();
        } finally {
            lock.unlock();
        }
    }

    /** The probe succeeded: one call may try. */
    void probed() {
        lock.lock();
        try {
            if (state == State.PROBING) {
                change(State.TRIAL);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The probe failed; returns how long none passes again, unless that was decided meanwhile. */
    Optional<Duration> probeFailed() {
        lock.lock();
        try {
            return state == State.PROBING ? Optional.of(open()) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Counts the end of a call that went down with its connection, like {@link #failed}; but calls that came before such a
     * loss was counted last went down with the same connection, and count no more.
     */
    Optional<Duration> lost(Permit permit) {
        lock.lock();
        try {
            if (!permit.isTrial() && permit.losses() != losses.get()) {
                return Optional.empty();
            }
            losses.incrementAndGet();
            return failed(permit);
        } finally {
            lock.unlock();
        }
    }

    /** Counts the end of a call that passed; returns how long none passes from now on, where this end decides so. */
    Optional<Duration> failed(Permit permit) {
        lock.lock();
        try {
            if (permit.generation() != generation.get()) {
                return Optional.empty();
            }
            if (permit.isTrial()) {
                return trials.counts(permit.trial()) ? Optional.of(open()) : Optional.empty();
            }
            consecutive++;
            window.count(timekeeper.nanoTime(), true);
            return isTooMuch() ? Optional.of(open()) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Counts the end of a call that passed; true if all calls pass again because of it. */
    boolean worked(Permit permit) {
        lock.lock();
        try {
            if (permit.generation() != generation.get()) {
                return false;
            }
            consecutive = 0;
            window.count(timekeeper.nanoTime(), false);
            if (permit.isTrial()) {
                change(State.CLOSED);
            }
            return permit.isTrial();
        } finally {
            lock.unlock();
        }
    }

    /** A call that passed has said nothing of the server; where it was on trial another one may be. */
    void unsaid(Permit permit) {
        lock.lock();
        try {
            if (permit.isTrial() && permit.generation() == generation.get()) {
                trials.unsaid(permit.trial());
            }
        } finally {
            lock.unlock();
        }
    }

    private long trialPatience() {
        return Math.max(SHORTEST_TRIAL.toNanos(), settings.openTime().toNanos());
    }

    @GuardedBy("lock")
    private boolean isTooMuch() {
        return consecutive >= settings.consecutive()
                || (window.calls() >= settings.minimumCalls()
                        && window.failures() * 100L >= (long) settings.failurePercent() * window.calls());
    }

    /** Who was well for a whole window begins anew; else each time is twice the last. */
    @GuardedBy("lock")
    private Duration open() {
        var now = timekeeper.nanoTime();
        if (state == State.CLOSED && now - changedAt >= settings.window().toNanos()) {
            openTimes.reset();
        }
        var span = openTimes.next();
        heldOffAt = state == State.PROBING ? heldOffAt : now;
        change(State.OPEN);
        until = now + span.toNanos();
        return span;
    }

    @GuardedBy("lock")
    private void change(State to) {
        var now = timekeeper.nanoTime();
        generation.incrementAndGet();
        state = to;
        changedAt = now;
        consecutive = 0;
        trials.clear();
        window.clear(now);
    }
}
