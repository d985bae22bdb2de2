package io.mcpbridge.transport.stdio;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Requests whose answers nobody wants any more. Any thread may use it.
 *
 * <p>A server need not answer what was cancelled, so only the latest are remembered: ids are not used twice,
 * and the session above passes over an answer that it cannot place.
 */
final class WithdrawnRequests {
    static final int REMEMBERED = 256;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Deque<MessageId> latest = new ArrayDeque<>();

    /** Spares the lock where nothing was ever withdrawn. */
    private volatile boolean isUsed;

    void add(MessageId id) {
        lock.lock();
        try {
            isUsed = true;
            latest.addLast(id);
            if (latest.size() > REMEMBERED) {
                latest.removeFirst();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether the message is the answer to one of them, which it no longer is afterwards. */
    boolean takeAnswer(Message message) {
        if (!isUsed || !(message instanceof Response response)) {
            return false;
        }
        lock.lock();
        try {
            return response.id().filter(latest::remove).isPresent();
        } finally {
            lock.unlock();
        }
    }
}
