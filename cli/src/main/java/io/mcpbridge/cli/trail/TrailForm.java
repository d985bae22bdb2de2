package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.record.ParsedRecord;
import java.util.Optional;

/** The output format of a trail. */
public interface TrailForm {

    /** The header line. */
    default Optional<String> header() {
        return Optional.empty();
    }

    /**
     * The text for a record.
     *
     * @param entry the call of the record, with its enter
     * @return empty if this format omits the record, such as the enter of a call
     */
    Optional<String> text(ParsedRecord record, TrailEntry entry);

    /** The text for a call that has not ended at the end of the trail. */
    Optional<String> open(TrailEntry entry);

    /** The exact records of the trail, one per line, for programs. */
    static TrailForm records() {
        return new TrailForm() {
            @Override
            public Optional<String> text(ParsedRecord record, TrailEntry entry) {
                return Optional.of(record.json());
            }

            @Override
            public Optional<String> open(TrailEntry entry) {
                return Optional.empty();
            }
        };
    }
}
