package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The id of a request: a JSON string or an integer.
 *
 * <p>Keeps the id as the peer wrote it, so that the response repeats it byte for byte. Two ids are equal if they have
 * the same type and value: {@code 1} is not {@code "1"}, but {@code "a"} equals the same string with its letter
 * escaped. Immutable.
 */
public final class MessageId {

    private static final int LONGEST_INTEGER = 18;

    private final byte[] raw;
    private final byte[] key;

    private MessageId(byte[] raw, byte[] key) {
        this.raw = raw;
        this.key = key;
    }

    /** An integer id. */
    public static MessageId of(long number) {
        return ofToken(Long.toString(number).getBytes(UTF_8));
    }

    /** A string id. */
    public static MessageId of(String text) {
        return ofToken(JsonStrings.quote(text).getBytes(UTF_8));
    }

    /** Parses a valid JSON token, such as an id within params; empty if it is neither a string nor an integer. */
    public static Optional<MessageId> parse(String token) {
        var isId = token.startsWith("\"") || token.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'));
        return isId && !token.isEmpty() ? Optional.of(ofToken(token.getBytes(UTF_8))) : Optional.empty();
    }

    /** Creates an id whose token is the whole array; takes ownership of the array. */
    static MessageId ofToken(byte[] raw) {
        return new MessageId(raw, hasEscape(raw) ? canonical(raw) : raw);
    }

    /** The internal array of the token, which must not be modified. */
    byte[] array() {
        return raw;
    }

    /** The JSON token, byte for byte. */
    public String raw() {
        return new String(raw, UTF_8);
    }

    /** The number, if this is an integer of at most 18 digits; all ids that the bridge creates are. */
    public OptionalLong asLong() {
        boolean negative = raw[0] == '-';
        int digits = negative ? 1 : 0;
        if (raw[0] == '"' || raw.length - digits > LONGEST_INTEGER) {
            return OptionalLong.empty();
        }
        long number = 0;
        for (int i = digits; i < raw.length; i++) {
            number = number * 10 + (raw[i] - '0');
        }
        return OptionalLong.of(negative ? -number : number);
    }

    /** Whether a string id has no lone surrogate, which only an escape can encode. */
    boolean isWellFormed() {
        return key == raw || JsonStrings.isWellFormed(JsonStrings.decode(raw, 1, raw.length - 1));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MessageId that && Arrays.equals(key, that.key);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(key);
    }

    @Override
    public String toString() {
        return raw();
    }

    private static boolean hasEscape(byte[] raw) {
        for (byte b : raw) {
            if (b == '\\') {
                return true;
            }
        }
        return false;
    }

    private static byte[] canonical(byte[] raw) {
        return JsonStrings.quote(JsonStrings.decode(raw, 1, raw.length - 1)).getBytes(UTF_8);
    }
}
