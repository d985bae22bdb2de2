package io.mcpbridge.audit.redact;

import java.util.function.IntPredicate;

/**
 * A text without some of its characters, which maps positions back to the original text. A search in it finds secrets
 * with blanks, colons or invisible characters in them.
 *
 * @param places the position in the original for each character
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record StrippedText(String text, int[] places) {
    private static final char FIRST_INVISIBLE = '\u00AD';

    /** The text without the characters that {@code isLeftOut} accepts. */
    static StrippedText of(String original, IntPredicate isLeftOut) {
        var text = new StringBuilder(original.length());
        var places = new int[original.length()];
        for (int at = 0; at < original.length(); at++) {
            if (!isLeftOut.test(original.charAt(at))) {
                places[text.length()] = at;
                text.append(original.charAt(at));
            }
        }
        return new StrippedText(text.toString(), places);
    }

    /** Whether a character shows nothing, such as a space of no width, a soft hyphen or a variation selector. */
    static boolean isInvisible(int c) {
        return c >= FIRST_INVISIBLE && (Character.getType(c) == Character.FORMAT || (c >= 0xFE00 && c <= 0xFE0F));
    }

    /** Adds a span of this text to the spans of the original, with the left-out characters in it. */
    void addTo(SecretSpans spans, int start, int end) {
        spans.add(places[start], places[end - 1] + 1);
    }
}
