package io.mcpbridge.audit.redact;

import java.nio.ByteBuffer;

/** Makes of what an event holds what a record may show. One thread at a time. */
public final class Redaction {
    private final KeyedHash hash;

    private Redaction(KeyedHash hash) {
        this.hash = hash;
    }

    public static Redaction of(RedactionSettings settings, RedactionKey key) {
        return new Redaction(key.hash());
    }

    /** A text of a peer or about one, such as a name or an error. */
    public String text(String text) {
        return VisibleText.of(text);
    }

    /** The hash that stands for a text. */
    public String hashOf(String text) {
        return hash.of(text);
    }

    /** The hash that stands for the text that remains in a buffer. */
    public String hashOf(ByteBuffer text) {
        return hash.of(text);
    }
}
