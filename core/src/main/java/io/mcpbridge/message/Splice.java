package io.mcpbridge.message;

/**
 * Collects changes to one message and makes the changed copy.
 *
 * <p>What is not named by a change leaves byte for byte. Of two changes to one part the later one
 * counts. Made by {@link Message#splice}; for one thread.
 */
public final class Splice {

    private final Message message;

    Splice(Message message) {
        this.message = message;
    }

    /**
     * Puts another value in place of a part's.
     *
     * @param rawToken a JSON value
     * @throws IllegalStateException if the message does not have the part
     * @throws IllegalArgumentException if the value is not JSON, or not what the part may be
     */
    public Splice replace(Part part, String rawToken) {
        throw new UnsupportedOperationException(part + rawToken + message);
    }

    /** Puts another id in place of the message's. */
    public Splice id(MessageId id) {
        return replace(Part.ID, id.raw());
    }

    /** Leaves out a part with its key and comma; a part that is absent already is no matter. */
    public Splice remove(Part part) {
        throw new UnsupportedOperationException(part.toString());
    }

    /** Adds or replaces a member of {@code _meta}, which is made where it is missing. */
    public Splice putMeta(String key, String rawValue) {
        throw new UnsupportedOperationException(key + rawValue);
    }

    /** Adds or replaces a member of {@code params}, which is made where it is missing. */
    public Splice putParam(String key, String rawValue) {
        throw new UnsupportedOperationException(key + rawValue);
    }

    /** Adds or replaces a member of {@code result}. */
    public Splice putResult(String key, String rawValue) {
        throw new UnsupportedOperationException(key + rawValue);
    }

    /** Makes the changed message, in one copy. */
    public Message done() {
        throw new UnsupportedOperationException();
    }
}
