package io.mcpbridge.audit.redact;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The values redacted from the arguments of one call, which are redacted in its response too. Their number and length
 * are bounded. For one thread.
 */
public final class RedactedValues {
    /**
     * The shortest value that is redacted within a text, in characters. Shorter ones occur in ordinary words, so they
     * are redacted only if they are a whole text or number.
     */
    private static final int SHORTEST_PART = 4;

    private static final int MAX_VALUES = 32;
    private static final int MAX_CHARACTERS = TextPreview.MAX_BYTES;

    private final Set<String> values = new LinkedHashSet<>();
    private int characters;
    private boolean isComplete = true;

    /** Makes an empty set of values. */
    public RedactedValues() {}

    void add(String value) {
        if (value.isEmpty() || values.contains(value)) {
            return;
        }
        if (values.size() >= MAX_VALUES || characters + value.length() > MAX_CHARACTERS) {
            isComplete = false;
            return;
        }
        characters += value.length();
        values.add(value);
    }

    /** Marks the values as incomplete: not all of the arguments could be searched. */
    void markIncomplete() {
        isComplete = false;
    }

    /** Whether these are all redacted values of the arguments. */
    public boolean isComplete() {
        return isComplete;
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** The number of characters of all values. */
    public int characters() {
        return characters;
    }

    /** Whether a whole text or number is one of them. */
    boolean contains(String value) {
        return values.contains(value);
    }

    /** The values that are redacted anywhere in a text. */
    List<String> parts() {
        return values.stream().filter(value -> value.length() >= SHORTEST_PART).toList();
    }
}
