package io.mcpbridge.transport.stdio;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import org.jspecify.annotations.Nullable;

/**
 * An estimate of how full a child's input pipe is that never errs on the low side.
 *
 * <p>A child reads in order: once it has answered the request that was written last, it has read everything.
 * What was written since may still lie in the pipe. Even the smallest pipe, that of a user who has very many
 * of them, takes one page. Guarded by the lock of its owner.
 */
final class PipeRoom {
    private static final long SURE_ROOM = 4096;

    private long unread;
    private long unreadAfterRequest;
    private @Nullable MessageId lastRequest;

    /** Whether a write of so many bytes cannot get stuck. */
    boolean isFor(int length) {
        return unread + length <= SURE_ROOM;
    }

    /** The message and its line end are about to be written. */
    void took(Message message) {
        var length = message.length() + 1L;
        unread += length;
        unreadAfterRequest += length;
        if (message instanceof Request request) {
            lastRequest = request.id();
            unreadAfterRequest = 0;
        }
    }

    /** The child said this. */
    void heard(Message message) {
        if (lastRequest != null
                && message instanceof Response response
                && response.id().filter(lastRequest::equals).isPresent()) {
            unread = unreadAfterRequest;
        }
    }
}
