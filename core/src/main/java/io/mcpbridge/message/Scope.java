package io.mcpbridge.message;

/** An object of the envelope whose members the scanner looks at one by one. */
enum Scope {
    /** The message itself. */
    TOP,
    /** The {@code params} of a request or notification. */
    PARAMS,
    /** The {@code _meta} of params or of a result; a message has only one of them. */
    META,
    /** The {@code result} of a response. */
    RESULT,
    /** The {@code error} of a response. */
    ERROR;

    /** Where {@link Slots} keeps the keys of this scope. */
    @SuppressWarnings("EnumOrdinal") // The number indexes an array and is never stored.
    int index() {
        return ordinal();
    }
}
