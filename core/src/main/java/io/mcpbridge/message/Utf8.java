package io.mcpbridge.message;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Passes over text, checking that it is well-formed UTF-8 (table 3-7 of the Unicode standard). */
final class Utf8 {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long QUOTES = ONES * '"';
    private static final long BACKSLASHES = ONES * '\\';
    private static final long SPACES = ONES * ' ';

    private Utf8() {}

    /** The first position that does not hold plain text: a quote, a backslash, a control or a byte beyond ASCII. */
    static int afterPlain(byte[] json, int from) {
        int at = from;
        while (at <= json.length - Long.BYTES) {
            long special = special((long) LONGS.get(json, at));
            if (special != 0) {
                return at + (Long.numberOfTrailingZeros(special) >>> 3);
            }
            at += Long.BYTES;
        }
        while (at < json.length && json[at] >= ' ' && json[at] != '"' && json[at] != '\\') {
            at++;
        }
        return at;
    }

    /** Passes a run of characters beyond ASCII. */
    static int afterWide(byte[] json, int from) {
        int at = from;
        while (at < json.length && json[at] < 0) {
            int length = length(json, at);
            if (length == 0) {
                throw Malformed.encoding(json, at);
            }
            at += length;
        }
        return at;
    }

    /** High bits over the bytes that are not plain; exact for the lowest one, which is all that is asked. */
    private static long special(long word) {
        return (zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES) | ((word - SPACES) & ~word) | word) & HIGH_BITS;
    }

    private static long zeros(long word) {
        return (word - ONES) & ~word;
    }

    /** The length of the character that begins here, or 0 if none does. */
    private static int length(byte[] json, int at) {
        int first = json[at] & 0xFF;
        if (first < 0xE0) {
            return first >= 0xC2 && isNext(json, at + 1) ? 2 : 0;
        }
        if (first < 0xF0) {
            int low = first == 0xE0 ? 0xA0 : 0x80;
            int high = first == 0xED ? 0x9F : 0xBF;
            return isBetween(json, at + 1, low, high) && isNext(json, at + 2) ? 3 : 0;
        }
        int low = first == 0xF0 ? 0x90 : 0x80;
        int high = first == 0xF4 ? 0x8F : 0xBF;
        boolean whole =
                first <= 0xF4 && isBetween(json, at + 1, low, high) && isNext(json, at + 2) && isNext(json, at + 3);
        return whole ? 4 : 0;
    }

    private static boolean isNext(byte[] json, int at) {
        return at < json.length && json[at] < (byte) 0xC0;
    }

    private static boolean isBetween(byte[] json, int at, int low, int high) {
        return at < json.length && (json[at] & 0xFF) >= low && (json[at] & 0xFF) <= high;
    }
}
