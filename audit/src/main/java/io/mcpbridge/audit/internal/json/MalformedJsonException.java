package io.mcpbridge.audit.internal.json;

/** A text is no JSON, or JSON that has no canonical form. */
public final class MalformedJsonException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    MalformedJsonException(String message) {
        super(message);
    }

    static MalformedJsonException at(int position, String rule) {
        return new MalformedJsonException("at character %d there must be %s".formatted(position, rule));
    }
}
