package io.mcpbridge.serve;

/** What a failure says, for people. */
final class Words {

    private Words() {}

    /** Its message, or its kind where it has none. */
    static String of(Throwable failure) {
        var message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
    }
}
