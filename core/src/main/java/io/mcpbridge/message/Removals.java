package io.mcpbridge.message;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Turns removals of values into removals of whole members with the right commas.
 *
 * <p>Adjacent members are removed as one run, so that the neighbours of a run always remain.
 */
final class Removals {

    private static final Removals NONE = new Removals(new byte[0]);

    private final byte[] json;
    private final List<Edit> runs = new ArrayList<>();
    private final Set<Integer> emptied = new HashSet<>();

    private Removals(byte[] json) {
        this.json = json;
    }

    /** Finds the runs of these values, which are in order. */
    static Removals of(byte[] json, List<Edit> values) {
        if (values.isEmpty()) {
            return NONE;
        }
        var removals = new Removals(json);
        removals.addRuns(values);
        return removals;
    }

    private void addRuns(List<Edit> values) {
        int first = 0;
        for (int i = 1; i <= values.size(); i++) {
            if (i == values.size() || !areNeighbours(values.get(i - 1), values.get(i))) {
                addRun(keyOf(json, values.get(first).start()), values.get(i - 1).end());
                first = i;
            }
        }
    }

    /** The ranges to remove. */
    List<Edit> runs() {
        return runs;
    }

    /** Whether the object that starts here has no member left. */
    boolean isEmptied(int bracket) {
        return emptied.contains(bracket);
    }

    private boolean areNeighbours(Edit left, Edit right) {
        int comma = next(json, left.end());
        return json[comma] == ',' && next(json, comma + 1) == keyOf(json, right.start());
    }

    private void addRun(int key, int end) {
        int before = previous(json, key);
        int behind = next(json, end);
        if (json[behind] == ',') {
            runs.add(Edit.removing(key, next(json, behind + 1)));
            return;
        }
        if (json[before] == ',') {
            runs.add(Edit.removing(before, end));
            return;
        }
        runs.add(Edit.removing(key, end));
        emptied.add(before);
    }

    /**
     * The opening quote of the key of a {@link MessageField}. No such key contains a quote, not even an escaped
     * one.
     */
    static int keyOf(byte[] json, int value) {
        int colon = previous(json, value);
        int quote = previous(json, colon) - 1;
        while (json[quote] != '"') {
            quote--;
        }
        return quote;
    }

    /** The position of the last byte before {@code from} that is not white space. */
    static int previous(byte[] json, int from) {
        int at = from - 1;
        while (isSpace(json[at])) {
            at--;
        }
        return at;
    }

    /** The position of the first byte from {@code from} on that is not white space. */
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
