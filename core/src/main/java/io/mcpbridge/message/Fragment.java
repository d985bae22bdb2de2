package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.failure.ProtocolException;
import org.jspecify.annotations.Nullable;

/** One member that will stand in a message: its text, behind a comma, and the parts in it. */
final class Fragment {

    private final String key;
    private final byte[] text;
    private final int value;
    private final Spans spans;

    private Fragment(String key, byte[] text, int value, Spans spans) {
        this.key = key;
        this.text = text;
        this.value = value;
        this.spans = spans;
    }

    /**
     * Checks a value and finds its parts.
     *
     * @throws IllegalArgumentException if the text is not one JSON value
     */
    static Fragment of(Scope scope, String key, String rawValue) {
        String prefix = "," + JsonText.quote(key) + ":";
        byte[] text = (prefix + rawValue.strip()).getBytes(UTF_8);
        Spans spans = scan(scope, key, text);
        if (spans == null) {
            throw new IllegalArgumentException("The value for '%s' goes on after one JSON value".formatted(key));
        }
        return new Fragment(key, text, prefix.getBytes(UTF_8).length, spans);
    }

    String key() {
        return key;
    }

    /** The text: a comma, the key, a colon, the value. */
    byte[] text() {
        return text;
    }

    /** Where in the text the value begins. */
    int value() {
        return value;
    }

    /** The parts, by their positions in the text. */
    Spans spans() {
        return spans;
    }

    /** The text of an object that has these members. */
    static String object(Iterable<Fragment> members) {
        var json = new StringBuilder();
        members.forEach(member -> json.append(new String(member.text, UTF_8)));
        return "{" + json.substring(1) + "}";
    }

    private static @Nullable Spans scan(Scope scope, String key, byte[] text) {
        try {
            return EnvelopeScanner.scanMember(text, scope);
        } catch (ProtocolException e) {
            throw new IllegalArgumentException("The value for '%s' will not do: %s".formatted(key, e.getMessage()), e);
        }
    }
}
