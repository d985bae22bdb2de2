package io.mcpbridge.message;

/** Finds what stands before and behind a value in a message that was scanned before. */
final class Surroundings {

    private Surroundings() {}

    /** Where the key of a {@link Part} begins, at its quote; no such key has a quote in it, not even an escaped one. */
    static int keyOf(byte[] json, int value) {
        int colon = previous(json, value);
        int quote = previous(json, colon) - 1;
        while (json[quote] != '"') {
            quote--;
        }
        return quote;
    }

    /** The position of the last token byte before here. */
    static int previous(byte[] json, int from) {
        int at = from - 1;
        while (isSpace(json[at])) {
            at--;
        }
        return at;
    }

    /** The position of the first token byte from here on. */
    static int next(byte[] json, int from) {
        int at = from;
        while (isSpace(json[at])) {
            at++;
        }
        return at;
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t';
    }
}
