package io.mcpbridge.transport.unix;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;

/**
 * A few loops that many sockets share; their threads are there while somebody uses them. Any thread may use it.
 *
 * <p>A provider or a listener owns one; each user {@linkplain #acquire acquires} a loop and releases one once.
 */
final class SocketLoops {
    private final ReentrantLock lock = new ReentrantLock();
    private final String name;
    private final int size;
    private final BiFunction<String, System.Logger, SocketLoop> maker;

    @GuardedBy("lock")
    private final List<SocketLoop> loops = new ArrayList<>();

    @GuardedBy("lock")
    private int users;

    @GuardedBy("lock")
    private int next;

    SocketLoops(String name, int size) {
        this(name, size, SocketLoop::new);
    }

    /** @param maker makes a loop of a name that has not started */
    SocketLoops(String name, int size, BiFunction<String, System.Logger, SocketLoop> maker) {
        this.name = name;
        this.size = size;
        this.maker = maker;
    }

    /** How many loops serve well: few, since a loop has little to do for a message. */
    static int defaultSize() {
        return Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors() / 2));
    }

    /** One of the loops, in turn; they start as they are needed. */
    SocketLoop acquire(System.Logger logger) {
        lock.lock();
        try {
            if (loops.size() < size) {
                var loop = maker.apply(name + "-" + loops.size(), logger);
                loop.start();
                loops.add(loop);
            }
            users++;
            return loops.get(next++ % loops.size());
        } finally {
            lock.unlock();
        }
    }

    /** Gives a loop back; the last user stops all of them, without waiting for their end. */
    void release() {
        giveBack();
    }

    /** The same, and waits for a bounded time until the threads that it stopped have ended. */
    void releaseAndAwait() {
        giveBack().forEach(SocketLoop::awaitEnd);
    }

    private List<SocketLoop> giveBack() {
        List<SocketLoop> idle = List.of();
        lock.lock();
        try {
            if (--users == 0) {
                idle = List.copyOf(loops);
                loops.clear();
                next = 0;
            }
        } finally {
            lock.unlock();
        }
        idle.forEach(SocketLoop::stop);
        return idle;
    }
}
