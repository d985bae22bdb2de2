package io.mcpbridge.audit.redact;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The values that were taken out of the arguments of one call, so that they are not shown where its answer repeats them.
 * Bounded, and looked for as one finds those of a configuration. One thread at a time.
 */
public final class HiddenValues {
    /** Values that are shorter stand in ordinary words, and are only hidden where they are all of a text or a number. */
    private static final int SHORTEST_PART = 4;

    private static final int MOST = 32;
    private static final int MOST_CHARACTERS = Shown.MOST_BYTES;

    private final Set<String> parts = new LinkedHashSet<>();
    private final Set<String> wholes = new LinkedHashSet<>();
    private int characters;
    private boolean isComplete = true;

    /** Of a call that hid nothing yet. */
    public HiddenValues() {}

    void add(String value) {
        if (value.isEmpty() || holds(value)) {
            return;
        }
        if (parts.size() + wholes.size() >= MOST || characters + value.length() > MOST_CHARACTERS) {
            isComplete = false;
            return;
        }
        characters += value.length();
        (value.length() < SHORTEST_PART ? wholes : parts).add(value);
    }

    /** There are more than could be seen. */
    void missSome() {
        isComplete = false;
    }

    /** Whether all of them are here. */
    public boolean isComplete() {
        return isComplete;
    }

    public boolean isEmpty() {
        return parts.isEmpty() && wholes.isEmpty();
    }

    /** How many characters they have together. */
    public int characters() {
        return characters;
    }

    /** Whether a whole text or number is one of them. */
    boolean holds(String value) {
        return parts.contains(value) || wholes.contains(value);
    }

    /** Those that are hidden wherever they stand. */
    Set<String> parts() {
        return parts;
    }
}
