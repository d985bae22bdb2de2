package io.mcpbridge.sandbox.worker.internal.frame;

/** What is written takes more bytes than it may. */
public final class FullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FullException(int mostBytes) {
        super("more than %d bytes".formatted(mostBytes), null, false, false);
    }
}
