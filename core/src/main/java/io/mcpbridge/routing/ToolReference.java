package io.mcpbridge.routing;

import io.mcpbridge.config.ToolNaming;
import java.util.Optional;

/**
 * A tool at its server.
 *
 * @param server the server's configured name
 * @param tool the tool's name there
 */
public record ToolReference(String server, String tool) {

    /** Parts a name like {@code github__get_issue} at the first {@code __}. */
    static Optional<ToolReference> parsePrefixed(String name) {
        var at = name.indexOf(ToolNaming.SEPARATOR);
        if (at <= 0 || at + ToolNaming.SEPARATOR.length() >= name.length()) {
            return Optional.empty();
        }
        return Optional.of(
                new ToolReference(name.substring(0, at), name.substring(at + ToolNaming.SEPARATOR.length())));
    }
}
