package io.mcpbridge.audit.record;

import java.util.Optional;
import java.util.stream.Stream;

/** How much of a call a record shows; its sizes and hashes, and those of errors, are always there. */
public enum RecordLevel {
    /** Who called what, when, and how it ended, but not in the words of an error, which may quote arguments. */
    METADATA("metadata"),
    /** The arguments and the words of errors too. */
    ARGUMENTS("arguments"),
    /** The arguments, the words of errors and the result. */
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
