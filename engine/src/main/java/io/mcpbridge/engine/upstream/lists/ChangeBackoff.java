package io.mcpbridge.engine.upstream.lists;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits how often a list is loaded because its server reports changes: at once after a calm, else after a pause that
 * doubles while the changes continue. Operators see long pauses. Any thread; the lock guards the pause.
 */
final class ChangeBackoff {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** From this pause on operators see that the server reports changes all the time. */
    private static final Duration NOISY_PAUSE = Duration.ofSeconds(1);

    private final ServerListsContext context;
    private final ListKind<?> kind;
    private final AtomicBoolean isNoisy = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private Duration pause = Duration.ZERO;

    @GuardedBy("lock")
    private long pauseEnd;

    @GuardedBy("lock")
    private boolean isLoadDue;

    ChangeBackoff(ServerListsContext context, ListKind<?> kind) {
        this.context = context;
        this.kind = kind;
    }

    /** Begins the load now, or when the pause is over; once for all changes that are reported until then. */
    void begin(Runnable load) {
        var left = Duration.ZERO;
        lock.lock();
        try {
            if (isLoadDue) {
                return;
            }
            if (!pause.isZero()) {
                left = Duration.ofNanos(pauseEnd - context.nanoTime());
            }
            if (isCalm()) {
                pause = Duration.ZERO;
            }
            isLoadDue = true;
        } finally {
            lock.unlock();
        }
        if (left.isNegative() || left.isZero()) {
            loadAndPause(load);
        } else {
            context.after(left, () -> loadAndPause(load));
        }
    }

    private void loadAndPause(Runnable load) {
        Duration next;
        lock.lock();
        try {
            isLoadDue = false;
            pause = pause.isZero() ? FIRST_PAUSE : doubled(pause, LONGEST_PAUSE);
            pauseEnd = context.nanoTime() + pause.toNanos();
            next = pause;
        } finally {
            lock.unlock();
        }
        var isLong = next.compareTo(NOISY_PAUSE) >= 0;
        showNoisy(isLong);
        if (isLong) {
            context.after(next.multipliedBy(2), this::endPauseIfCalm);
        }
        load.run();
    }

    private void endPauseIfCalm() {
        boolean isOver;
        lock.lock();
        try {
            isOver = isCalm();
            pause = isOver ? Duration.ZERO : pause;
        } finally {
            lock.unlock();
        }
        if (isOver) {
            showNoisy(false);
        }
    }

    /** After the last pause the server has reported no change for as long as that pause. */
    @GuardedBy("lock")
    private boolean isCalm() {
        return !isLoadDue && context.nanoTime() - pauseEnd >= pause.toNanos();
    }

    private void showNoisy(boolean isNowNoisy) {
        if (isNoisy.getAndSet(isNowNoisy) == isNowNoisy) {
            return;
        }
        var words =
                "server '%s' says again and again that its %s have changed; they are listed again after pauses of up to"
                        + " %d s";
        context.remarks()
                .noisy(
                        kind,
                        isNowNoisy
                                ? Optional.of(words.formatted(context.name(), kind, LONGEST_PAUSE.toSeconds()))
                                : Optional.empty());
    }

    static Duration doubled(Duration pause, Duration longest) {
        var twice = pause.multipliedBy(2);
        return twice.compareTo(longest) > 0 ? longest : twice;
    }
}
