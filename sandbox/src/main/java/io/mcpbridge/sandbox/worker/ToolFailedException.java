package io.mcpbridge.sandbox.worker;

/** A tool threw something in its worker; the message is that of what it threw. */
final class ToolFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    ToolFailedException(String message) {
        super(message);
    }
}
