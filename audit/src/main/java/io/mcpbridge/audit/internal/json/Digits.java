package io.mcpbridge.audit.internal.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** Writes digits into arrays, without texts in between. */
public final class Digits {
    private static final byte[] HEX = "0123456789abcdef".getBytes(ISO_8859_1);

    private Digits() {}

    /** The last decimal digits of a number from 0, with zeros before it. */
    public static void write(long number, byte[] into, int from, int digits) {
        long rest = number;
        for (int at = from + digits - 1; at >= from; at--) {
            into[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    /** Two lower-case hexadecimal digits for each byte. */
    public static void writeHex(byte[] bytes, byte[] into, int from) {
        int at = from;
        for (byte each : bytes) {
            into[at++] = HEX[(each >> 4) & 0xF];
            into[at++] = HEX[each & 0xF];
        }
    }
}
