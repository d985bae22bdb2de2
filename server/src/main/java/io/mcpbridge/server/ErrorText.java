package io.mcpbridge.server;

/** The text of an exception. Pure. */
final class ErrorText {

    private ErrorText() {}

    /** The message, or the simple name of the class if there is none. */
    static String of(Throwable thrown) {
        var message = thrown.getMessage();
        return message == null || message.isBlank() ? thrown.getClass().getSimpleName() : message;
    }
}
