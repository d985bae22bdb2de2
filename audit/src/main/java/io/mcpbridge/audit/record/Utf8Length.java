package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Counts the bytes that a text has in UTF-8; those of a long one are not made for that. */
final class Utf8Length {
    /** The system makes them faster than we count. */
    static final int SHORT = 4_096;

    private Utf8Length() {}

    static long of(String text) {
        return text.length() <= SHORT ? text.getBytes(UTF_8).length : counted(text);
    }

    private static long counted(String text) {
        long bytes = text.length();
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c >= 0x80) {
                // Each half of a pair counts for half of its four bytes.
                bytes += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
            }
        }
        return bytes;
    }
}
