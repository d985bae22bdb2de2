package io.mcpbridge.routing;

import io.mcpbridge.config.ToolNaming;
import java.util.Optional;

/**
 * A tool or a prompt at its server.
 *
 * @param server the server's configured name
 * @param name its name there
 */
record OwnName(String server, String name) {

    /** Parts a name like {@code github__get_issue} at the first {@code __}. */
    static Optional<OwnName> parsePrefixed(String exposed) {
        var at = exposed.indexOf(ToolNaming.SEPARATOR);
        if (at <= 0 || at + ToolNaming.SEPARATOR.length() >= exposed.length()) {
            return Optional.empty();
        }
        return Optional.of(
                new OwnName(exposed.substring(0, at), exposed.substring(at + ToolNaming.SEPARATOR.length())));
    }
}
