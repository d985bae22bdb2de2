package io.mcpbridge.workers.internal.frame;

import java.io.IOException;

/**
 * Thrown if the peer sent bytes that are not a message; the stream is unusable afterwards. Never quotes those bytes.
 */
public final class MalformedMessageException extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param found the description of the bytes in place of a message */
    public MalformedMessageException(String found) {
        super(found);
    }
}
