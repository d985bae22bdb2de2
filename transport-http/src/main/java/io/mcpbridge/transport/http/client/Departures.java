package io.mcpbridge.transport.http.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends posts on their way. Any thread may use it.
 *
 * <p>Requests stay here while {@code notifications/initialized} is under way, which they might overtake on
 * connections of their own. They are not lost to their owner meanwhile: one that is withdrawn never leaves.
 */
final class Departures {
    /** How long a server may take to say that it has a message before the next one leaves nevertheless. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final ConnectionPool pool;
    private final Timekeeper timekeeper;
    private final boolean isOneByOne;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Deque<Post> heldBack = new ArrayDeque<>();

    /** What the others wait for. */
    @GuardedBy("lock")
    private @Nullable Post first;

    private Departures(ConnectionPool pool, Timekeeper timekeeper, boolean isOneByOne) {
        this.pool = pool;
        this.timekeeper = timekeeper;
        this.isOneByOne = isOneByOne;
    }

    /** Requests leave side by side. */
    static Departures sideBySide(ConnectionPool pool, Timekeeper timekeeper) {
        return new Departures(pool, timekeeper, false);
    }

    /** Requests leave in their order, each when the server has taken the one before, as if they shared a stream. */
    static Departures oneByOne(ConnectionPool pool, Timekeeper timekeeper) {
        return new Departures(pool, timekeeper, true);
    }

    /** Runs it, a request perhaps later; what the server waits for does not queue behind requests. */
    void run(Post post) {
        if (!post.isRequest()) {
            if (Session.isInitialized(post.out())) {
                holdBackFor(post);
            }
            pool.runUrgent(post);
        } else if (Session.isListen(post.out())) {
            pool.runStream(post);
        } else if (!isHeldBack(post)) {
            leave(post);
        }
    }

    private void holdBackFor(Post post) {
        lock.lock();
        try {
            first = post;
        } finally {
            lock.unlock();
        }
    }

    private boolean isHeldBack(Post request) {
        lock.lock();
        try {
            // One that ended before it began here is never told to be over.
            if (first != null && first.isUnderWay()) {
                return heldBack.add(request);
            }
            first = isOneByOne ? request : null;
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void leave(Post request) {
        if (isOneByOne) {
            timekeeper.schedule(PATIENCE, () -> over(request));
        }
        pool.run(request);
    }

    /** The server has the post, or it has ended in another way; runs what waited for that. */
    void over(Post post) {
        List<Post> free;
        lock.lock();
        try {
            if (post != first) {
                return;
            }
            heldBack.removeIf(waiting -> !waiting.isUnderWay());
            free = isOneByOne ? Stream.ofNullable(heldBack.poll()).toList() : List.copyOf(heldBack);
            first = isOneByOne && !free.isEmpty() ? free.get(0) : null;
            if (!isOneByOne) {
                heldBack.clear();
            }
        } finally {
            lock.unlock();
        }
        free.forEach(this::leave);
    }
}
