package io.mcpbridge.audit.record;

/** Counts the bytes that a text has in UTF-8 without making them. */
final class Utf8Length {

    private Utf8Length() {}

    static long of(String text) {
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
