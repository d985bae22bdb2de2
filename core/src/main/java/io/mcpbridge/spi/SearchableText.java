package io.mcpbridge.spi;

/**
 * A text without some of its characters, which maps positions back to the original text. A search in it finds secrets
 * that these characters interrupt. For one thread.
 */
final class SearchableText {
    private static final char FIRST_INVISIBLE = '\u00AD';

    private final StringBuilder text;
    /** The position in the original of each character. */
    private final int[] places;

    private SearchableText(String original, LeftOut leftOut) {
        this.text = new StringBuilder(original.length());
        this.places = new int[original.length()];
        for (int at = 0; at < original.length(); ) {
            int length = leftOut.length(original, at);
            if (length == 0) {
                places[text.length()] = at;
                text.append(original.charAt(at));
            }
            at += Math.max(1, length);
        }
    }

    /** The text without characters that show nothing. */
    static SearchableText withoutInvisible(String original) {
        return new SearchableText(original, (text, at) -> isInvisible(text.charAt(at)) ? 1 : 0);
    }

    /** The text without blanks, line ends, colons and characters that show nothing. */
    static SearchableText withoutSeparators(String original) {
        return new SearchableText(original, (text, at) -> isSeparator(text.charAt(at)) ? 1 : 0);
    }

    /** The same, also without the escapes that JSON and C have for line ends and tabs, and with {@code \/} as a slash. */
    static SearchableText withoutEscapes(String original) {
        return new SearchableText(original, (text, at) -> {
            if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                char next = text.charAt(at + 1);
                return next == '/' ? 1 : next == 'n' || next == 'r' || next == 't' ? 2 : 0;
            }
            return isSeparator(text.charAt(at)) ? 1 : 0;
        });
    }

    private static boolean isSeparator(char c) {
        return c == ':' || Character.isWhitespace(c) || Character.isSpaceChar(c) || isInvisible(c);
    }

    /** Whether a character shows nothing, such as a space of no width, a soft hyphen or a variation selector. */
    static boolean isInvisible(int c) {
        return c >= FIRST_INVISIBLE && (Character.getType(c) == Character.FORMAT || (c >= 0xFE00 && c <= 0xFE0F));
    }

    int length() {
        return text.length();
    }

    char charAt(int at) {
        return text.charAt(at);
    }

    /** The position in the original of a character. */
    int place(int at) {
        return places[at];
    }

    /** The text that is left. */
    @Override
    public String toString() {
        return text.toString();
    }

    /** Decides which characters are left out. */
    private interface LeftOut {
        /** The number of characters to leave out at a position; 0 if the one there stays. */
        int length(String text, int at);
    }
}
