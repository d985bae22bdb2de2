package io.mcpbridge.upstream.health;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets only a few processes of servers start at one moment, since a hundred at once would all be late. Whoever comes
 * meanwhile is parked, not a thread. Any thread; nothing here waits.
 */
public final class StartGate {
    /** How many start at one moment. */
    public static final int AT_ONCE = 4;

    /** A start that takes longer does not hold the others up any more. */
    public static final Duration LONGEST = Duration.ofSeconds(3);

    private final Timekeeper timekeeper;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Queue<Consumer<Runnable>> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private int under;

    public StartGate(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
    }

    /**
     * Begins {@code start} now or when it is its turn.
     *
     * @param start begins and returns; it is given what must be run when it is over, on whatever thread and however often
     */
    public void enter(Consumer<Runnable> start) {
        lock.lock();
        try {
            if (under >= AT_ONCE) {
                waiting.add(start);
                return;
            }
            under++;
        } finally {
            lock.unlock();
        }
        begin(start);
    }

    private void begin(Consumer<Runnable> start) {
        var isOver = new AtomicBoolean();
        Runnable leave = () -> {
            if (isOver.compareAndSet(false, true)) {
                next();
            }
        };
        var late = timekeeper.schedule(LONGEST, leave);
        start.accept(() -> {
            late.cancel();
            leave.run();
        });
    }

    private void next() {
        @Nullable Consumer<Runnable> following;
        lock.lock();
        try {
            following = waiting.poll();
            if (following == null) {
                under--;
            }
        } finally {
            lock.unlock();
        }
        if (following != null) {
            begin(following);
        }
    }
}
