package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.record.AuditLine;
import java.util.Optional;

/** The output format of a trail. */
public interface TrailForm {

    /** The text above the others. */
    default Optional<String> header() {
        return Optional.empty();
    }

    /**
     * The text for a record.
     *
     * @param entry the call of the record, with its enter
     * @return empty where this format shows nothing, such as for the enter of a call
     */
    Optional<String> text(AuditLine record, TrailEntry entry);

    /** The text for a call that has not ended where the trail ends. */
    Optional<String> open(TrailEntry entry);

    /** The records as they are in the trail, one line each, for programs. */
    static TrailForm records() {
        return new TrailForm() {
            @Override
            public Optional<String> text(AuditLine record, TrailEntry entry) {
                return Optional.of(record.json());
            }

            @Override
            public Optional<String> open(TrailEntry entry) {
                return Optional.empty();
            }
        };
    }
}
