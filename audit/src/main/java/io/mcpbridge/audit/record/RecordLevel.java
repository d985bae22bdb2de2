package io.mcpbridge.audit.record;

import java.util.Optional;
import java.util.stream.Stream;

/** How much of a call a record shows; its sizes and hashes are always there. */
public enum RecordLevel {
    /** Who called what, when, and how it ended. */
    METADATA("metadata"),
    /** The arguments too. */
    ARGUMENTS("arguments"),
    /** The arguments and the result. */
    RESULT("arguments+result");

    private final String word;

    RecordLevel(String word) {
        this.word = word;
    }

    /** The word in the configuration and in records. */
    public String word() {
        return word;
    }

    public static Optional<RecordLevel> of(String word) {
        return Stream.of(values()).filter(each -> each.word.equals(word)).findFirst();
    }
}
