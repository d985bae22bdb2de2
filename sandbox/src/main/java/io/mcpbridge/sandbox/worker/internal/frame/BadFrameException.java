package io.mcpbridge.sandbox.worker.internal.frame;

import java.io.IOException;

/** What the other side sent is not what it should be; the stream cannot be used any more. */
public final class BadFrameException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Found {@code what}. */
    public BadFrameException(String what) {
        super(what);
    }
}
