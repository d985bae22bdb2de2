package io.mcpbridge.workers.internal.frame;

import java.io.IOException;

/**
 * The other side sent something that is not a message; the stream cannot be used any more. Never quotes what was sent.
 */
public final class MalformedMessageException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Describes what was found instead of a message. */
    public MalformedMessageException(String found) {
        super(found);
    }
}
