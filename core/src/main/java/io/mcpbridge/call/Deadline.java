package io.mcpbridge.call;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The time on the monotonic clock of a {@link Timekeeper} after which the caller stops waiting. Any thread.
 *
 * <p>While a deadline is {@linkplain #hold held}, because a client answers a server request, its clock stops.
 */
public final class Deadline {
    private static final long FAR = Long.MAX_VALUE / 4;

    /** Saves a lock or an atomic reference per deadline, since few are ever held. */
    private static final AtomicReferenceFieldUpdater<Deadline, Holds> HOLDS =
            AtomicReferenceFieldUpdater.newUpdater(Deadline.class, Holds.class, "holds");

    private final Timekeeper timekeeper;
    private final long at;
    private final Duration span;
    private final @Nullable Deadline outer;
    private final Consumer<Deadline> watcher;
    private volatile Holds holds = Holds.NONE;

    private Deadline(
            Timekeeper timekeeper, long at, Duration span, @Nullable Deadline outer, Consumer<Deadline> watcher) {
        this.timekeeper = timekeeper;
        this.at = at;
        this.span = span;
        this.outer = outer;
        this.watcher = watcher;
    }

    /** A deadline {@code span} from now; {@code span} is longer than zero. */
    public static Deadline after(Duration span, Timekeeper timekeeper) {
        return after(span, timekeeper, timekeeper.nanoTime(), null);
    }

    private static Deadline after(Duration span, Timekeeper timekeeper, long now, @Nullable Deadline outer) {
        if (span.isNegative() || span.isZero()) {
            throw new IllegalArgumentException("a deadline must lie ahead, but the span is " + span);
        }
        var nanos = span.compareTo(Duration.ofNanos(FAR)) < 0 ? span.toNanos() : FAR;
        return new Deadline(timekeeper, now + nanos, span, outer, Deadline::unwatched);
    }

    /**
     * A deadline {@code span} from now, whose clock also stops while this one is held; this deadline if it is not
     * later.
     */
    public Deadline within(Duration span) {
        var now = timekeeper.nanoTime();
        var inner = after(span, timekeeper, now, this);
        return nanosLeft(now) <= inner.at - now ? this : inner;
    }

    /**
     * A deadline at the same time for one part of the work. {@code watcher} receives the new deadline whenever a hold
     * of that deadline begins or the last one ends; holds of this deadline are not reported. {@code watcher} is called
     * on any thread and must not block; it reads the current state from {@link #isHeld}.
     */
    public Deadline watched(Consumer<Deadline> watcher) {
        return new Deadline(timekeeper, timekeeper.nanoTime() + FAR, span, this, watcher);
    }

    /** Whether this deadline itself is held; holds of an outer deadline do not count. */
    public boolean isHeld() {
        return holds.open > 0;
    }

    /** The time left; zero after the deadline has expired. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, nanosLeft(timekeeper.nanoTime())));
    }

    public boolean isExpired() {
        return nanosLeft(timekeeper.nanoTime()) <= 0;
    }

    /** The span that the deadline was created with, for messages. */
    public Duration span() {
        return span;
    }

    /** The earlier of the two; both must come from the same timekeeper. */
    public Deadline earlier(Deadline other) {
        var now = timekeeper.nanoTime();
        return nanosLeft(now) <= other.nanosLeft(now) ? this : other;
    }

    /** Runs {@code action} when the deadline expires; a hold delays it. */
    public Timekeeper.Alarm alarm(Runnable action) {
        return new DeadlineAlarm(this, timekeeper, action).set();
    }

    /**
     * Stops the clock of this deadline and of its outer deadlines until the returned action runs. Holds are counted:
     * the clock resumes when the last one is released.
     *
     * @return an action that releases the hold; running it again has no effect
     */
    public Runnable hold() {
        Runnable outerHold = outer == null ? () -> {} : outer.hold();
        change(Holds::begun);
        var released = new AtomicBoolean();
        return () -> {
            if (released.compareAndSet(false, true)) {
                change(Holds::ended);
                outerHold.run();
            }
        };
    }

    private static void unwatched(Deadline deadline) {}

    private void change(BiFunction<Holds, Long, Holds> what) {
        var before = HOLDS.getAndUpdate(this, old -> what.apply(old, timekeeper.nanoTime()));
        if (before.open > 0 != isHeld()) {
            watcher.accept(this);
        }
    }

    private long nanosLeft(long now) {
        var left = at - now + holds.nanos(now);
        return outer == null ? left : Math.min(left, outer.nanosLeft(now));
    }

    @Override
    public String toString() {
        return "in " + remaining().toMillis() + " ms of " + span.toMillis() + " ms";
    }

    /**
     * The current holds, and the time for which the clock was stopped.
     *
     * @param open the number of current holds
     * @param since the time in nanoseconds at which the first of them began
     * @param before the nanoseconds of earlier holds
     */
    private record Holds(int open, long since, long before) {
        private static final Holds NONE = new Holds(0, 0, 0);

        private Holds begun(long now) {
            return open == 0 ? new Holds(1, now, before) : new Holds(open + 1, since, before);
        }

        private Holds ended(long now) {
            return open == 1 ? new Holds(0, 0, before + now - since) : new Holds(open - 1, since, before);
        }

        private long nanos(long now) {
            return open == 0 ? before : before + now - since;
        }
    }

    /** Runs an action when a deadline expires; reschedules itself if the deadline was held meanwhile. Any thread. */
    private static final class DeadlineAlarm implements Timekeeper.Alarm, Runnable {
        /** The shortest interval between two checks of a held deadline. */
        private static final Duration MIN_RECHECK_DELAY = Duration.ofMillis(50);

        private static final Timekeeper.Alarm UNSET = () -> {};

        private final Deadline deadline;
        private final Timekeeper timekeeper;
        private final Runnable action;
        private volatile Timekeeper.Alarm current = UNSET;
        private volatile boolean isCancelled;

        DeadlineAlarm(Deadline deadline, Timekeeper timekeeper, Runnable action) {
            this.deadline = deadline;
            this.timekeeper = timekeeper;
            this.action = action;
        }

        Timekeeper.Alarm set() {
            current = timekeeper.schedule(deadline.remaining(), this);
            return this;
        }

        @Override
        public void run() {
            if (isCancelled) {
                return;
            }
            if (deadline.isExpired()) {
                action.run();
                return;
            }
            var left = deadline.remaining();
            current = timekeeper.schedule(left.compareTo(MIN_RECHECK_DELAY) < 0 ? MIN_RECHECK_DELAY : left, this);
            if (isCancelled) {
                current.cancel();
            }
        }

        @Override
        public void cancel() {
            isCancelled = true;
            current.cancel();
        }
    }
}
