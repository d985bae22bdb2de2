package io.mcpbridge.audit.internal.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes flat JSON in the form of RFC 8785 as UTF-8 bytes, again and again into the same array: the quick way for what
 * {@link CanonicalJson} would write too. Whoever writes sees to the order of members. One thread at a time.
 */
public final class JsonBytes {
    private static final boolean[] UNUSUAL = unusual();
    private static final int LONGEST_NUMBER = 16;
    private static final long LARGEST_EXACT = 1L << 53;

    private byte[] bytes = new byte[2_048];
    private int size;

    /** Begins anew. */
    public JsonBytes clear() {
        size = 0;
        return this;
    }

    /** How many bytes were written. */
    public int size() {
        return size;
    }

    /** What was written. */
    public byte[] copy() {
        return Arrays.copyOf(bytes, size);
    }

    /** Appends ASCII as it stands. */
    public JsonBytes raw(String ascii) {
        makeRoom(ascii.length());
        for (int i = 0; i < ascii.length(); i++) {
            bytes[size + i] = (byte) ascii.charAt(i);
        }
        size += ascii.length();
        return this;
    }

    /** Appends bytes as they are. */
    public JsonBytes raw(byte[] ascii) {
        makeRoom(ascii.length);
        System.arraycopy(ascii, 0, bytes, size, ascii.length);
        size += ascii.length;
        return this;
    }

    /** Appends a plain value: a text, a whole number, a boolean or a map of texts. */
    public JsonBytes value(Object value) {
        if (value instanceof String text) {
            return text(text);
        }
        if (value instanceof Long number) {
            return number(number);
        }
        return value instanceof Map<?, ?> map ? object(map) : raw(value.toString());
    }

    /**
     * Appends a text in quotes.
     *
     * @throws MalformedJsonException if a surrogate stands alone
     */
    public JsonBytes text(String text) {
        return text(text, "");
    }

    /** The same with plain ASCII behind it, in the same quotes. */
    public JsonBytes text(String text, String suffix) {
        makeRoom(text.length() + suffix.length() + 2);
        if (!putPlain(text, size + 1)) {
            return unusual(text + suffix);
        }
        return quoted(text.length(), suffix);
    }

    /** Appends a text of printable ASCII without quotes and backslashes in quotes, as hashes are. */
    public JsonBytes plain(String text) {
        makeRoom(text.length() + 2);
        return quoted(0, text);
    }

    /** Puts a text where it goes to; false if it holds what is written in another way. */
    private boolean putPlain(String text, int at) {
        var into = bytes;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= UNUSUAL.length || UNUSUAL[c]) {
                return false;
            }
            into[at + i] = (byte) c;
        }
        return true;
    }

    /** Quotes what was put, and what is put behind it. */
    private JsonBytes quoted(int put, String ascii) {
        bytes[size] = '"';
        size += 1 + put;
        raw(ascii);
        bytes[size++] = '"';
        return this;
    }

    /** What is written in another way. */
    private static boolean[] unusual() {
        var unusual = new boolean[1 << 7];
        Arrays.fill(unusual, 0, ' ', true);
        for (char c : new char[] {'"', '\\'}) {
            unusual[c] = true;
        }
        return unusual;
    }

    private JsonBytes unusual(String text) {
        var quoted = new StringBuilder(text.length() + 16);
        JsonStrings.append(quoted, text);
        return raw(quoted.toString().getBytes(UTF_8));
    }

    private JsonBytes number(long number) {
        if (number < 0 || number > LARGEST_EXACT) {
            return raw(CanonicalNumber.of((Number) number));
        }
        makeRoom(LONGEST_NUMBER);
        int digits = 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        Digits.write(number, bytes, size, digits);
        size += digits;
        return this;
    }

    private JsonBytes object(Map<?, ?> map) {
        var sorted = new TreeMap<String, Object>();
        map.forEach((key, member) -> sorted.put(String.valueOf(key), member));
        var separator = "{";
        for (var member : sorted.entrySet()) {
            raw(separator).text(member.getKey()).raw(":").value(member.getValue());
            separator = ",";
        }
        return raw(sorted.isEmpty() ? "{}" : "}");
    }

    private void makeRoom(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
