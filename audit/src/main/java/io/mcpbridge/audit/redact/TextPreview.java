package io.mcpbridge.audit.redact;

/**
 * The part of a text that a record shows, and whether it is truncated.
 *
 * @param isTruncated whether the text is longer
 */
public record TextPreview(String text, boolean isTruncated) {
    /** The most bytes in UTF-8 that a record shows of one text. */
    public static final int MAX_BYTES = 16 << 10;

    static final TextPreview NOTHING = new TextPreview("", true);

    /**
     * The most characters of JSON that are searched; more than the shown ones, since a secret may be longer than its
     * hash.
     */
    private static final int MAX_SEARCHED = 4 * MAX_BYTES;

    /** The text, truncated to {@link #MAX_BYTES}. */
    static TextPreview of(String text) {
        int bytes = 0;
        for (int at = 0; at < text.length(); at++) {
            bytes += bytes(text.charAt(at));
            if (bytes > MAX_BYTES) {
                return new TextPreview(
                        text.substring(0, at - (Character.isLowSurrogate(text.charAt(at)) ? 1 : 0)), true);
            }
        }
        return new TextPreview(text, false);
    }

    /** Counts each half of a surrogate pair as half of its four bytes. */
    private static int bytes(char c) {
        if (c < 0x80) {
            return 1;
        }
        return c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }

    /** The same text, marked as truncated. */
    TextPreview truncated() {
        return new TextPreview(text, true);
    }

    /** Whether only the beginning of a JSON text is searched. */
    static boolean isTooLong(String json) {
        return json.length() > MAX_SEARCHED;
    }

    static String searchedBeginning(String json) {
        return isTooLong(json) ? json.substring(0, MAX_SEARCHED) : json;
    }
}
