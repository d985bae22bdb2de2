package io.mcpbridge.catalog.schema;

/** A check would take more than it may; the message says what of. Never leaves this package. */
final class TooCostlyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String words;

    TooCostlyException(String words) {
        super(words, null, false, false);
        this.words = words;
    }

    String words() {
        return words;
    }
}
