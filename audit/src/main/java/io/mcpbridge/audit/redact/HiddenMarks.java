package io.mcpbridge.audit.redact;

import java.util.function.Function;

/**
 * Characters that nobody sees, such as spaces of no width and marks that join letters: whoever puts them into a secret has
 * not hidden it. A text is looked at a second time without them.
 */
final class HiddenMarks {
    private static final char FIRST = '\u00AD';
    private static final char FIRST_SELECTOR = '\uFE00';
    private static final char LAST_SELECTOR = '\uFE0F';

    private HiddenMarks() {}

    /** Adds what the search finds in the text without its marks, where it has some. */
    static void find(String text, Function<String, Findings> search, Findings findings) {
        int first = first(text);
        if (first == text.length()) {
            return;
        }
        var plain = new StringBuilder(text.length()).append(text, 0, first);
        var places = new int[text.length()];
        for (int at = 0; at < first; at++) {
            places[at] = at;
        }
        for (int at = first; at < text.length(); at++) {
            if (!isMark(text.charAt(at))) {
                places[plain.length()] = at;
                plain.append(text.charAt(at));
            }
        }
        add(search.apply(plain.toString()), places, findings);
    }

    private static void add(Findings found, int[] places, Findings findings) {
        var set = found.places();
        for (int start = set.nextSetBit(0); start >= 0; ) {
            int end = set.nextClearBit(start);
            findings.add(places[start], places[end - 1] + 1);
            start = set.nextSetBit(end);
        }
    }

    private static int first(String text) {
        int at = 0;
        while (at < text.length() && !isMark(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static boolean isMark(char c) {
        return c >= FIRST && (Character.getType(c) == Character.FORMAT || (c >= FIRST_SELECTOR && c <= LAST_SELECTOR));
    }
}
