package io.mcpbridge.audit.internal;

import io.mcpbridge.spi.AuditNote;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Tells the log what a trail says of itself: that it was not found as a writer leaves it that ends in peace. */
public final class OddTrail {

    private OddTrail() {}

    /** @param trail the name of the trail, or its folder */
    public static void warn(Logger logger, Object trail, AuditNote note) {
        var words = "[mcp-bridge] the audit trail '%s' was not left in peace: %s %s";
        logger.log(Level.WARNING, words.formatted(trail, note.kind(), note.details()));
    }
}
