package io.mcpbridge.sandbox.worker;

/** A worker ended, or cannot be used any more, in the middle of a call; the message says why. */
final class WorkerLostException extends Exception {
    private static final long serialVersionUID = 1L;

    WorkerLostException(String message) {
        super(message);
    }
}
