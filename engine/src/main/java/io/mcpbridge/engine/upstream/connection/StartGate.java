package io.mcpbridge.engine.upstream.connection;

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
 * Limits how many server processes start at the same time, since a hundred concurrent starts would all be slow. Queues
 * further starts. Any thread; nothing here waits.
 */
public final class StartGate {
    /** How many may start at the same time. */
    public static final int AT_ONCE = 4;

    /** A start that takes longer no longer counts. */
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
     * Begins {@code start} now, or as soon as fewer starts are under way.
     *
     * @param start begins and returns; it gets an action to run when it is over, on any thread, once or more often
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
