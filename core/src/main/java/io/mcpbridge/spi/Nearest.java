package io.mcpbridge.spi;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggests the known word nearest to a mistyped one. */
public final class Nearest {

    private Nearest() {}

    /** The nearest known word; empty if none is near enough. */
    public static Optional<String> to(String written, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(each -> distance(written, each)))
                .filter(each -> distance(written, each) <= Math.max(2, each.length() / 3));
    }

    /** The same as the beginning of a sentence, {@code did you mean 'x'? }, or nothing. */
    public static String question(String written, Collection<String> known) {
        return to(written, known).map("did you mean '%s'? "::formatted).orElse("");
    }

    /** The Levenshtein distance: the number of letters to insert, delete or replace. */
    private static int distance(String one, String other) {
        var row = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int exchange = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(exchange, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
