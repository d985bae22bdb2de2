package io.mcpbridge.transport.unix;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;

/**
 * A few event loops that many sockets share; their threads run only while there are users. Any thread may use it.
 *
 * <p>Each user {@linkplain #acquire acquires} a loop and releases it once.
 */
final class SocketEventLoopGroup {

    /** Shared by clients and servers, so that one thread can pass a message from one socket to another. */
    static final SocketEventLoopGroup COMMON = new SocketEventLoopGroup(
            "mcp-bridge-unix",
            Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors() / 2)),
            SocketEventLoop::new);

    private final ReentrantLock lock = new ReentrantLock();
    private final String name;
    private final int size;
    private final BiFunction<String, System.Logger, SocketEventLoop> maker;

    @GuardedBy("lock")
    private final List<SocketEventLoop> loops = new ArrayList<>();

    @GuardedBy("lock")
    private int users;

    @GuardedBy("lock")
    private int next;

    /**
     * @param maker creates a loop of that name, not started
     */
    SocketEventLoopGroup(String name, int size, BiFunction<String, System.Logger, SocketEventLoop> maker) {
        this.name = name;
        this.size = size;
        this.maker = maker;
    }

    /** Returns one of the loops, round robin; starts loops until the group has its size. */
    SocketEventLoop acquire(System.Logger logger) {
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

    /** Releases a loop; the last release stops all loops, without waiting for them. */
    void release() {
        giveBack();
    }

    /** Releases a loop, and waits a bounded time for the threads that this stops. */
    void releaseAndAwait() {
        giveBack().forEach(SocketEventLoop::awaitEnd);
    }

    private List<SocketEventLoop> giveBack() {
        List<SocketEventLoop> idle = List.of();
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
        idle.forEach(SocketEventLoop::stop);
        return idle;
    }
}
