package io.mcpbridge.transport.stdio;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Estimates how many bytes are in a child's input pipe, never too few. Any thread may use it.
 *
 * <p>A child reads in order: once it has answered the last request, it has read everything before that request. Bytes
 * written since may still be in the pipe. Even the smallest pipe, which a user with very many pipes gets, holds one
 * page.
 */
final class PipeEstimate {
    private static final long SMALLEST_PIPE = 4096;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private long unread;

    @GuardedBy("lock")
    private long unreadAfterRequest;

    @GuardedBy("lock")
    private @Nullable MessageId lastRequest;

    /** Records that a message and its line end are about to be written; false if the write may block. */
    boolean onWrite(Message message) {
        var length = message.length() + 1L;
        lock.lock();
        try {
            unread += length;
            unreadAfterRequest += length;
            if (message instanceof Request request) {
                lastRequest = request.id();
                unreadAfterRequest = 0;
            }
            return unread <= SMALLEST_PIPE;
        } finally {
            lock.unlock();
        }
    }

    /** Records a message of the child, which shows how much of its input it has read. */
    void onRead(Message message) {
        lock.lock();
        try {
            if (lastRequest != null
                    && message instanceof Response response
                    && response.id().filter(lastRequest::equals).isPresent()) {
                unread = unreadAfterRequest;
            }
        } finally {
            lock.unlock();
        }
    }
}
