package io.mcpbridge.audit.redact;

import java.util.function.IntPredicate;

/** Kinds of characters that secrets consist of, and runs of them. */
final class Characters {

    private Characters() {}

    static boolean isAlphanumeric(int c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    }

    static boolean isUpperOrDigit(int c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
    }

    /** Letters, digits and what joins them in tokens. */
    static boolean isWord(int c) {
        return isAlphanumeric(c) || c == '_' || c == '-';
    }

    /** What a credential behind {@code Bearer} may consist of. */
    static boolean isToken(int c) {
        return isWord(c) || c == '.' || c == '~' || c == '+' || c == '/' || c == '=';
    }

    /** Base64 in either alphabet. */
    static boolean isBase64(int c) {
        return isWord(c) || c == '+' || c == '/';
    }

    static boolean isHex(int c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
    }

    /** What ends a word in prose, code and addresses alike. */
    static boolean isSeparator(int c) {
        return Character.isWhitespace(c) || "\"'`,;()[]{}<>|".indexOf(c) >= 0;
    }

    /** Where a run of such characters ends. */
    static int runEnd(String text, int from, IntPredicate kind) {
        int at = from;
        while (at < text.length() && kind.test(text.charAt(at))) {
            at++;
        }
        return at;
    }
}
