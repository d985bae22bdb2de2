package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.FieldNumbers.Scope;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Replaces a range of a message by a fragment, or removes it.
 *
 * @param fragment the new text; null for a removal
 * @param from the index in the fragment at which the new text begins
 */
record Edit(int start, int end, @Nullable Fragment fragment, int from) {

    private static final byte[] NOTHING = {};

    /** Removes a range. */
    static Edit removing(int start, int end) {
        return new Edit(start, end, null, 0);
    }

    /** Replaces a value by the value of a fragment. */
    static Edit replacing(int start, int end, Fragment fragment) {
        return new Edit(start, end, fragment, fragment.value());
    }

    /** Inserts a whole member before the closing bracket of its object. */
    static Edit inserting(int bracket, Fragment fragment, boolean isFirst) {
        return new Edit(bracket, bracket, fragment, isFirst ? 1 : 0);
    }

    boolean isRemoval() {
        return fragment == null;
    }

    /** By how many bytes the message grows; negative if it shrinks. */
    int growth() {
        return text().length - from - (end - start);
    }

    /** Writes the new text at an index; returns the index after it. */
    int write(byte[] target, int at) {
        int length = text().length - from;
        System.arraycopy(text(), from, target, at, length);
        return at + length;
    }

    /** Adds the spans of the new text, which begins at this index, to {@code target}. */
    void note(Spans target, int at) {
        if (fragment != null) {
            target.setAll(fragment.spans(), at - from);
        }
    }

    private byte[] text() {
        return fragment == null ? NOTHING : fragment.text();
    }

    /**
     * A member to put into a message.
     *
     * @param text a comma, the key, a colon and the value
     * @param value the index in the text at which the value begins
     * @param spans the fields in the member, by their positions in the text
     */
    @SuppressWarnings("ArrayRecordComponent") // Not compared, and not changed after it was made.
    record Fragment(String key, byte[] text, int value, Spans spans) {

        /**
         * Checks a value and finds its fields.
         *
         * @throws IllegalArgumentException if the text is not one JSON value
         */
        static Fragment of(Scope scope, String key, String rawValue) {
            byte[] prefix = prefix(key);
            byte[] value = rawValue.strip().getBytes(UTF_8);
            byte[] text = Arrays.copyOf(prefix, prefix.length + value.length);
            System.arraycopy(value, 0, text, prefix.length, value.length);
            Spans spans = scan(scope, key, text);
            if (spans == null) {
                throw new IllegalArgumentException("The value for '%s' goes on after one JSON value".formatted(key));
            }
            return new Fragment(key, text, prefix.length, spans);
        }

        /** A value that is a JSON string or number, of a field that the message has. */
        static Fragment ofScalar(int slot, byte[] value) {
            var spans = new Spans();
            spans.set(slot, 0, value.length);
            return new Fragment("", value, 0, spans);
        }

        /** An object with these members, which are not scanned again. */
        static Fragment of(Scope scope, String key, Collection<Fragment> members) {
            byte[] prefix = prefix(key);
            int end = prefix.length;
            for (Fragment member : members) {
                end += member.text.length;
            }
            byte[] text = Arrays.copyOf(prefix, end + 1);
            var spans = new Spans();
            int at = prefix.length;
            for (Fragment member : members) {
                System.arraycopy(member.text, 0, text, at, member.text.length);
                spans.setAll(member.spans, at);
                at += member.text.length;
            }
            // In the place of the first comma.
            text[prefix.length] = '{';
            text[end] = '}';
            spans.set(FieldNumbers.of(scope, key), prefix.length, text.length);
            return new Fragment(key, text, prefix.length, spans);
        }

        private static byte[] prefix(String key) {
            return ("," + JsonStrings.quote(key) + ":").getBytes(UTF_8);
        }

        private static @Nullable Spans scan(Scope scope, String key, byte[] text) {
            try {
                return EnvelopeScanner.scanMember(text, scope);
            } catch (ProtocolException e) {
                throw new IllegalArgumentException(
                        "The value for '%s' will not do: %s".formatted(key, e.getMessage()), e);
            }
        }
    }
}
