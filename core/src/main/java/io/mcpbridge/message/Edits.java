package io.mcpbridge.message;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes to one message in the order of where they begin; none begins within another. A few, so it looks at each. */
final class Edits {

    private final List<Edit> edits = new ArrayList<>(4);

    /** Puts a change in place of those that begin within it. */
    void put(Edit edit) {
        int at = 0;
        while (at < edits.size() && edits.get(at).start() < edit.start()) {
            at++;
        }
        while (at < edits.size() && edits.get(at).start() < edit.end()) {
            edits.remove(at);
        }
        edits.add(at, edit);
    }

    /** The last that begins before a position. */
    @Nullable
    Edit before(int position) {
        Edit last = null;
        for (Edit edit : edits) {
            if (edit.start() >= position) {
                break;
            }
            last = edit;
        }
        return last;
    }

    /** The last that begins at a position or before it. */
    @Nullable
    Edit atOrBefore(int position) {
        return before(position + 1);
    }

    /** Those that take something out. */
    List<Edit> removals() {
        List<Edit> removals = new ArrayList<>();
        for (Edit edit : edits) {
            if (edit.isRemoval()) {
                removals.add(edit);
            }
        }
        return removals;
    }

    /** Those that put something in. */
    List<Edit> replacements() {
        List<Edit> replacements = new ArrayList<>(edits.size() + 2);
        for (Edit edit : edits) {
            if (!edit.isRemoval()) {
                replacements.add(edit);
            }
        }
        return replacements;
    }
}
