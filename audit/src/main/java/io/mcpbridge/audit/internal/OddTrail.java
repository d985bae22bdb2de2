package io.mcpbridge.audit.internal;

import io.mcpbridge.spi.AuditNote;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Tells the log what a trail says of itself: that it was not found as a writer leaves it that ends in peace. */
public final class OddTrail {

    private OddTrail() {}

    /**
     * Says what a trail notes.
     *
     * @param trail its name, or its folder
     */
    public static void warn(Logger logger, String trail, AuditNote note) {
        var words = "[mcp-bridge] the audit trail '%s' was not left in peace: %s %s";
        logger.log(Level.WARNING, words.formatted(trail, note.kind(), note.details()));
    }
}
