package io.mcpbridge.message;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Turns removals of values into removals of whole members, such that the commas come out right.
 *
 * <p>Members that stand side by side go as one run, so that the neighbours of a run always stay.
 */
final class Removals {

    private static final Removals NONE = new Removals(new byte[0]);

    private final byte[] json;
    private final List<Edit> runs = new ArrayList<>();
    private final Set<Integer> emptied = new HashSet<>();

    private Removals(byte[] json) {
        this.json = json;
    }

    /** Finds the runs of values that are given in order. */
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
                addRun(
                        Surroundings.keyOf(json, values.get(first).start()),
                        values.get(i - 1).end());
                first = i;
            }
        }
    }

    /** The ranges to take out. */
    List<Edit> runs() {
        return runs;
    }

    /** Whether the object that opens here has no member left. */
    boolean isEmptied(int bracket) {
        return emptied.contains(bracket);
    }

    private boolean areNeighbours(Edit left, Edit right) {
        int comma = Surroundings.next(json, left.end());
        return json[comma] == ',' && Surroundings.next(json, comma + 1) == Surroundings.keyOf(json, right.start());
    }

    private void addRun(int key, int end) {
        int before = Surroundings.previous(json, key);
        int behind = Surroundings.next(json, end);
        if (json[behind] == ',') {
            runs.add(Edit.removing(key, Surroundings.next(json, behind + 1)));
            return;
        }
        if (json[before] == ',') {
            runs.add(Edit.removing(before, end));
            return;
        }
        runs.add(Edit.removing(key, end));
        emptied.add(before);
    }
}
