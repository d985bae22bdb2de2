package io.mcpbridge.catalog.schema;

/** A check would take more than it may; the message says what of. Never leaves this package. */
final class TooCostlyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooCostlyException(String message) {
        super(message, null, false, false);
    }
}
