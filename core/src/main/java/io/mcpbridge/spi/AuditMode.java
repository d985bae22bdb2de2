package io.mcpbridge.spi;

import java.util.stream.Stream;

/** The treatment of a call whose audit record cannot be written; the key {@code mode} of the section {@code audit}. */
public enum AuditMode {
    /** Nothing is recorded. */
    OFF("off"),
    /** Calls continue, and the trail records how many records are missing. */
    BEST_EFFORT("best-effort"),
    /** As {@link #REQUIRED}, except for tools that a trusted source calls read-only: those are {@link #BEST_EFFORT}. */
    REQUIRED_FOR_CHANGES("required-for-changes"),
    /** No call is sent before its record is safe, and no answer is given before the call's end is. */
    REQUIRED("required");

    private final String text;

    AuditMode(String text) {
        this.text = text;
    }

    /** The mode in a section; {@link #BEST_EFFORT} if it has none. Any other text is reported as a mistake. */
    public static AuditMode of(Settings section) {
        var words = Stream.of(values()).map(AuditMode::text).toList();
        return section.choice("mode", values(), AuditMode::text, "one of " + words)
                .orElse(BEST_EFFORT);
    }

    /** The value in the configuration. */
    public String text() {
        return text;
    }

    /** Whether calls may have to wait for their records. */
    public boolean isRequired() {
        return this == REQUIRED || this == REQUIRED_FOR_CHANGES;
    }
}
