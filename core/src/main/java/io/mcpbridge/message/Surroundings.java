package io.mcpbridge.message;

/** Finds what stands before and behind a value in a message that was scanned before. */
final class Surroundings {

    private Surroundings() {}

    /** Where the key of a member begins, at its quote. */
    static int keyOf(byte[] json, int value) {
        int colon = previous(json, value);
        int quote = previous(json, colon) - 1;
        while (json[quote] != '"' || isEscaped(json, quote)) {
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

    private static boolean isEscaped(byte[] json, int at) {
        int backslash = at - 1;
        while (json[backslash] == '\\') {
            backslash--;
        }
        return (at - 1 - backslash) % 2 == 1;
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t';
    }
}
