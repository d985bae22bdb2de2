package io.mcpbridge.audit.redact;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The values that redaction took out of the arguments of one call, so that its answer does not show them either. Their
 * number and length are bounded. For one thread.
 */
public final class RedactedValues {
    /** Shorter values are part of ordinary words: they are hidden only where they are a whole text or number. */
    private static final int SHORTEST_PART = 4;

    private static final int MAX_VALUES = 32;
    private static final int MAX_CHARACTERS = TruncatedText.MAX_BYTES;

    private final Set<String> values = new LinkedHashSet<>();
    private int characters;
    private boolean isComplete = true;

    /** No values yet. */
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

    /** Not all of the arguments could be searched. */
    void markIncomplete() {
        isComplete = false;
    }

    /** Whether these are all values that must not be shown. */
    public boolean isComplete() {
        return isComplete;
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** The number of their characters. */
    public int characters() {
        return characters;
    }

    /** Whether a whole text or number is one of them. */
    boolean contains(String value) {
        return values.contains(value);
    }

    /** The values that are hidden wherever they are. */
    List<String> parts() {
        return values.stream().filter(value -> value.length() >= SHORTEST_PART).toList();
    }
}
