package io.mcpbridge.call;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A moment on the monotonic clock of one {@link Timekeeper}, after which the caller waits no more. Any thread.
 *
 * <p>While it is {@linkplain #hold held}, because a client is being asked, its clock stops.
 */
public final class Deadline {
    private static final long FAR = Long.MAX_VALUE / 4;

    /** Rather than a lock or a reference of its own for each deadline, since hardly any is ever held. */
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

    /** The moment {@code span} from now; longer than zero. */
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

    /** The moment {@code span} from now, which stands still together with this one; this one, if it is not later. */
    public Deadline within(Duration span) {
        var now = timekeeper.nanoTime();
        var inner = after(span, timekeeper, now, this);
        return nanosLeft(now) <= inner.at - now ? this : inner;
    }

    /**
     * The same moment for one part of what this is for: {@code watcher} hears, with the new deadline, when that one begins
     * to be held and when it goes on, but not of holds of this one. It may be told in any thread and never waits; what is
     * true at that moment {@link #isHeld} says.
     */
    public Deadline watched(Consumer<Deadline> watcher) {
        return new Deadline(timekeeper, timekeeper.nanoTime() + FAR, span, this, watcher);
    }

    /** Whether its clock stands still now, for its own sake. */
    public boolean isHeld() {
        return holds.open > 0;
    }

    /** The time left, zero once the moment has passed. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, nanosLeft(timekeeper.nanoTime())));
    }

    public boolean isExpired() {
        return nanosLeft(timekeeper.nanoTime()) <= 0;
    }

    /** The span it was made with, for messages. */
    public Duration span() {
        return span;
    }

    /** The earlier of the two; both must come from the same timekeeper. */
    public Deadline earlier(Deadline other) {
        var now = timekeeper.nanoTime();
        return nanosLeft(now) <= other.nanosLeft(now) ? this : other;
    }

    /** Runs {@code action} when the moment comes; later, where the deadline is held meanwhile. */
    public Timekeeper.Alarm alarm(Runnable action) {
        return new DeadlineAlarm(this, timekeeper, action).set();
    }

    /**
     * Stops the clock of this deadline and of those it stands within, until the returned action runs. Holds add up:
     * the clock goes on when the last one is released.
     *
     * @return releases the hold; harmless when run again
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
     * How long the clock has stood still.
     *
     * @param open how many holds there are
     * @param since when the first of them began
     * @param before the nanoseconds of holds that are over
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

    /** Waits for a deadline, again and again where its clock was held meanwhile. Any thread. */
    private static final class DeadlineAlarm implements Timekeeper.Alarm, Runnable {
        /** How often a held deadline is looked at, at the most. */
        private static final Duration PATIENCE = Duration.ofMillis(50);

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

        /** The moment has come that was looked forward to. */
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
            current = timekeeper.schedule(left.compareTo(PATIENCE) < 0 ? PATIENCE : left, this);
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
