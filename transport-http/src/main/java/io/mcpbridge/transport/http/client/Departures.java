package io.mcpbridge.transport.http.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sends posts on their way. Any thread may use it.
 *
 * <p>Requests stay here while {@code notifications/initialized} is under way, which they might overtake on
 * connections of their own. They are not lost to their owner meanwhile: one that is withdrawn never leaves.
 */
final class Departures {
    private final ConnectionPool pool;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Post> heldBack = new ArrayList<>();

    @GuardedBy("lock")
    private @Nullable Post initialized;

    Departures(ConnectionPool pool) {
        this.pool = pool;
    }

    /** Runs it, a request perhaps later; what the server waits for does not queue behind requests. */
    void run(Post post) {
        if (!post.isRequest()) {
            begin(post);
            pool.runUrgent(post);
        } else if (Session.isListen(post.out())) {
            pool.runStream(post);
        } else if (!isHeldBack(post)) {
            pool.run(post);
        }
    }

    private void begin(Post post) {
        lock.lock();
        try {
            if (Session.isInitialized(post.out())) {
                initialized = post;
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isHeldBack(Post request) {
        lock.lock();
        try {
            // One that ended before it began here is never told to be over.
            return initialized != null && initialized.isUnderWay() && heldBack.add(request);
        } finally {
            lock.unlock();
        }
    }

    /** The post has ended, one way or another; runs what waited for that. */
    void over(Post post) {
        List<Post> free;
        lock.lock();
        try {
            if (post != initialized) {
                return;
            }
            initialized = null;
            free = List.copyOf(heldBack);
            heldBack.clear();
        } finally {
            lock.unlock();
        }
        free.stream().filter(Post::isUnderWay).forEach(pool::run);
    }
}
