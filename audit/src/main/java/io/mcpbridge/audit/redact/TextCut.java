package io.mcpbridge.audit.redact;

/** Cuts long texts before they are looked at, so that the time for one record is bounded. */
final class TextCut {
    /** More than is shown, since what is found may be longer than the hash in its place. */
    static final int MOST_CHARACTERS = 4 * Shown.MOST_BYTES;

    private TextCut() {}

    static boolean isNeeded(String text) {
        return text.length() > MOST_CHARACTERS;
    }

    static String beginning(String text) {
        return isNeeded(text) ? text.substring(0, MOST_CHARACTERS) : text;
    }

    /** The text up to its last separator: the cut may go through a secret, which then does not look like one. */
    static String withoutLastWord(String text) {
        int end = text.length();
        while (end > 0 && !Characters.isSeparator(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(0, end);
    }
}
