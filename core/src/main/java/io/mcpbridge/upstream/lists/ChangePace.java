package io.mcpbridge.upstream.lists;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.upstream.ListSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Says when a list is asked for again that its server calls changed: at once after a calm, else after a pause that doubles
 * while the server goes on. Any thread; nothing here waits.
 */
final class ChangePace {
    static final Duration FIRST = Duration.ofMillis(100);
    static final Duration LONGEST = Duration.ofSeconds(10);

    /** A server that has come to such a pause is shown to operators. */
    private static final Duration RESTLESS = Duration.ofSeconds(1);

    private final ListSource source;
    private final ListKind<?> kind;
    private final Runnable listing;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private Duration pause = Duration.ZERO;

    @GuardedBy("lock")
    private long pausesUntil;

    @GuardedBy("lock")
    private boolean isDue;

    private final AtomicBoolean isRestless = new AtomicBoolean();

    /** @param listing asks for the list */
    ChangePace(ListSource source, ListKind<?> kind, Runnable listing) {
        this.source = source;
        this.kind = kind;
        this.listing = listing;
    }

    /** Lists now, or when the pause is over; once for all that is told until then. */
    void changed() {
        var left = Duration.ZERO;
        lock.lock();
        try {
            if (isDue) {
                return;
            }
            if (!pause.isZero()) {
                left = Duration.ofNanos(pausesUntil - source.nanoTime());
            }
            if (isCalm()) {
                pause = Duration.ZERO;
            }
            isDue = true;
        } finally {
            lock.unlock();
        }
        if (left.isNegative() || left.isZero()) {
            list();
        } else {
            source.after(left, this::list);
        }
    }

    private void list() {
        Duration current;
        lock.lock();
        try {
            isDue = false;
            pause = pause.isZero() ? FIRST : longer(pause);
            pausesUntil = source.nanoTime() + pause.toNanos();
            current = pause;
        } finally {
            lock.unlock();
        }
        if (current.compareTo(RESTLESS) >= 0) {
            show(true);
            source.after(current.multipliedBy(2), this::look);
        } else {
            show(false);
        }
        listing.run();
    }

    private static Duration longer(Duration pause) {
        var twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST) > 0 ? LONGEST : twice;
    }

    /** It may have said nothing for long enough. */
    private void look() {
        boolean isOver;
        lock.lock();
        try {
            isOver = isCalm();
            pause = isOver ? Duration.ZERO : pause;
        } finally {
            lock.unlock();
        }
        if (isOver) {
            show(false);
        }
    }

    /** As long as the last pause was, nothing was told after it. */
    @GuardedBy("lock")
    private boolean isCalm() {
        return !isDue && source.nanoTime() - pausesUntil >= pause.toNanos();
    }

    private void show(boolean isNowRestless) {
        if (isRestless.getAndSet(isNowRestless) == isNowRestless) {
            return;
        }
        var words =
                "server '%s' says again and again that its %s have changed; they are listed again after pauses of up to"
                        + " %d s";
        source.restless(
                kind.toString(),
                isNowRestless
                        ? Optional.of(words.formatted(source.upstream().name(), kind, LONGEST.toSeconds()))
                        : Optional.empty());
    }
}
