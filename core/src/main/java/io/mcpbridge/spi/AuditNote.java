package io.mcpbridge.spi;

import java.util.Map;

/**
 * Something beside tool calls that the trail must show.
 *
 * @param kind a stable word, such as {@code peer-refused}
 * @param details what belongs to it; no secrets
 */
public record AuditNote(String kind, Map<String, String> details) {

    public AuditNote {
        details = Map.copyOf(details);
    }
}
