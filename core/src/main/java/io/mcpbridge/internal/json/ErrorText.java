package io.mcpbridge.internal.json;

/** The text of an exception. Pure. */
public final class ErrorText {

    private ErrorText() {}

    /** The message, or the simple name of the class if there is none. */
    public static String of(Throwable thrown) {
        var message = thrown.getMessage();
        return message == null || message.isBlank() ? thrown.getClass().getSimpleName() : message;
    }
}
