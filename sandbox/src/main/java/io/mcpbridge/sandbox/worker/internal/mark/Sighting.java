package io.mcpbridge.sandbox.worker.internal.mark;

import java.util.Collection;
import java.util.List;

/**
 * Who was seen at one look at all processes.
 *
 * @param found those that were looked for
 * @param isSure false where somebody was there of whom it could not be told
 */
public record Sighting(Collection<ProcessHandle> found, boolean isSure) {
    /** Copies what was found. */
    public Sighting {
        found = List.copyOf(found);
    }

    boolean isNobody() {
        return isSure && found.isEmpty();
    }
}
