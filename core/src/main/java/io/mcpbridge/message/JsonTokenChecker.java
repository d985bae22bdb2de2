package io.mcpbridge.message;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Skips single JSON tokens and checks their grammar and their UTF-8.
 *
 * <p>Each method takes the start position of a token and returns the position after it.
 */
final class JsonTokenChecker {

    private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
    private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    private final byte[] json;
    private int unicodeEscapes;

    JsonTokenChecker(byte[] json) {
        this.json = json;
    }

    /** The number of skipped escapes that can encode a surrogate. */
    int unicodeEscapes() {
        return unicodeEscapes;
    }

    /** The byte at this position, or 0 at the end of the message. JSON contains no byte 0. */
    byte byteAt(int at) {
        return at < json.length ? json[at] : 0;
    }

    /** Skips white space between tokens. */
    int space(int from) {
        int at = from;
        while (at < json.length && json[at] <= ' ') {
            byte b = json[at];
            if (b == '\n' || b == '\r') {
                json[at] = ' ';
            } else if (b != ' ' && b != '\t') {
                return at;
            }
            at++;
        }
        return at;
    }

    /** Skips a string, a number or a literal. */
    int scalar(int at) {
        return switch (byteAt(at)) {
            case '"' -> string(at);
            case 't' -> literal(at, TRUE);
            case 'f' -> literal(at, FALSE);
            case 'n' -> literal(at, NULL);
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number(at);
            default -> throw ProtocolErrors.syntax(json, at, "a value");
        };
    }

    /** Skips a string. */
    int string(int quote) {
        int at = quote + 1;
        while (true) {
            at = Utf8.afterPlain(json, at);
            byte b = byteAt(at);
            if (b == '"') {
                return at + 1;
            }
            if (b == '\\') {
                at = escape(at);
            } else if (b < 0) {
                at = Utf8.afterWide(json, at);
            } else {
                throw ProtocolErrors.syntax(json, at, "the rest of a string, with control characters escaped");
            }
        }
    }

    private int literal(int at, byte[] literal) {
        int end = at + literal.length;
        if (end > json.length || !Arrays.equals(json, at, end, literal, 0, literal.length)) {
            throw ProtocolErrors.syntax(json, at, "a value");
        }
        return end;
    }

    private int number(int from) {
        int at = byteAt(from) == '-' ? from + 1 : from;
        at = byteAt(at) == '0' ? at + 1 : digits(at);
        if (byteAt(at) == '.') {
            at = digits(at + 1);
        }
        if ((byteAt(at) | 0x20) == 'e') {
            int exponent = at + 1;
            boolean signed = byteAt(exponent) == '+' || byteAt(exponent) == '-';
            at = digits(signed ? exponent + 1 : exponent);
        }
        return at;
    }

    private int digits(int from) {
        int at = from;
        while (at < json.length && json[at] >= '0' && json[at] <= '9') {
            at++;
        }
        if (at == from) {
            throw ProtocolErrors.syntax(json, at, "a digit");
        }
        return at;
    }

    private int escape(int backslash) {
        return switch (byteAt(backslash + 1)) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> backslash + 2;
            case 'u' -> hex(backslash + 2);
            default -> throw ProtocolErrors.syntax(json, backslash, "one of its escapes");
        };
    }

    private int hex(int from) {
        for (int at = from; at < from + 4; at++) {
            if (Character.digit(byteAt(at), 16) < 0) {
                throw ProtocolErrors.syntax(json, at, "a hexadecimal digit");
            }
        }
        unicodeEscapes++;
        return from + 4;
    }

    /** Skips text and checks that it is well-formed UTF-8 (table 3-7 of the Unicode standard). */
    private static final class Utf8 {

        private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);
        private static final long ONES = 0x0101010101010101L;
        private static final long HIGH_BITS = 0x8080808080808080L;
        private static final long TWOS = ONES * 2;
        private static final long THIRTY_THREES = ONES * 33;
        private static final long BACKSLASHES = ONES * '\\';

        private Utf8() {}

        /**
         * The first position that is not plain text but a quote, a backslash, a control character or a byte beyond
         * ASCII.
         */
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

        /** Skips a run of characters beyond ASCII. */
        static int afterWide(byte[] json, int from) {
            int at = from;
            while (at < json.length && json[at] < 0) {
                int length = length(json, at);
                if (length == 0) {
                    throw ProtocolErrors.encoding(json, at);
                }
                at += length;
            }
            return at;
        }

        /**
         * Sets the high bit of each byte that is not plain text. Exact only for the lowest such byte, which is the only
         * one that is used.
         */
        private static long special(long word) {
            // With bit 1 flipped, control characters and the quote are less than 33.
            return (((word ^ TWOS) - THIRTY_THREES) | ((word ^ BACKSLASHES) - ONES) | word) & HIGH_BITS;
        }

        /** The length in bytes of the character that begins here, or 0 if the bytes are not UTF-8. */
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
}
