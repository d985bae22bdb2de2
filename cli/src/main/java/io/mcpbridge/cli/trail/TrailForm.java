package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.record.AuditLine;
import java.util.Optional;

/** How what is found is written. */
public interface TrailForm {

    /**
     * The text for a record.
     *
     * @param entry what the record tells together with its enter
     * @return empty where this form has nothing to say yet, such as of a call that only begins
     */
    Optional<String> text(AuditLine record, TrailEntry entry);

    /** The text for a call that has not ended where the trail ends. */
    Optional<String> open(TrailEntry entry);
}
