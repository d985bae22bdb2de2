package io.mcpbridge.transport.unix;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The requests that nobody waits for any more, so that late answers to them are dropped. Any thread may use it.
 *
 * <p>Most of them are never answered, so only the latest are kept; ids are never used twice.
 */
final class Abandoned {
    private static final int KEPT = 1_024;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Set<MessageId> ids = new LinkedHashSet<>();

    /** Lets an undisturbed connection pass without the lock. */
    private volatile boolean used;

    void add(MessageId id) {
        lock.lock();
        try {
            used = true;
            ids.add(id);
            if (ids.size() > KEPT) {
                ids.remove(ids.iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether the message answers a request that was abandoned. */
    boolean drops(Message message) {
        return used
                && message instanceof Response response
                && response.id().filter(this::remove).isPresent();
    }

    private boolean remove(MessageId id) {
        lock.lock();
        try {
            return ids.remove(id);
        } finally {
            lock.unlock();
        }
    }
}
