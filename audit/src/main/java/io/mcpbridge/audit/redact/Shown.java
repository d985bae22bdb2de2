package io.mcpbridge.audit.redact;

/**
 * What a record may show of a text.
 *
 * @param truncated whether it was longer than what is shown
 */
public record Shown(String text, boolean truncated) {

    /** The most bytes that a record shows of one text. */
    public static final int MOST_BYTES = 16 << 10;

    /** The text, cut where it has more bytes in UTF-8 than are shown. */
    static Shown of(String text, boolean truncated) {
        int bytes = 0;
        for (int at = 0; at < text.length(); at++) {
            bytes += bytes(text.charAt(at));
            if (bytes > MOST_BYTES) {
                return new Shown(text.substring(0, at - (Character.isLowSurrogate(text.charAt(at)) ? 1 : 0)), true);
            }
        }
        return new Shown(text, truncated);
    }

    /** Each half of a pair counts for half of its four bytes. */
    private static int bytes(char c) {
        if (c < 0x80) {
            return 1;
        }
        return c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
}
