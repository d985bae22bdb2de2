package io.mcpbridge.audit.internal;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.AuditedCall;
import io.mcpbridge.spi.ToolDenied;
import io.mcpbridge.spi.ToolEnter;
import io.mcpbridge.spi.ToolExit;

/**
 * How much memory an event holds that nobody else does, roughly: everything whose length somebody outside chooses.
 *
 * <p>Definitions of tools count for nothing, since the catalogue holds them anyhow.
 */
final class EventSize {
    /** What ids of our own and objects take beside the texts. */
    private static final long SMALL_PARTS = 1_024;

    private EventSize() {}

    static long of(ToolEnter event) {
        return of(event.call())
                + event.arguments().length()
                + event.principal().name().length()
                + event.clientId().length()
                + event.continues().length();
    }

    static long of(ToolExit event) {
        return of(event.call())
                + event.principal().name().length()
                + event.clientId().length()
                + of(event.outcome());
    }

    static long of(ToolDenied event) {
        return of(event.call())
                + event.principal().name().length()
                + event.clientId().length()
                + event.reason().length();
    }

    static long of(AuditNote note) {
        long size = SMALL_PARTS + note.kind().length();
        for (var detail : note.details().entrySet()) {
            size += detail.getKey().length() + detail.getValue().length();
        }
        return size;
    }

    private static long of(AuditedCall call) {
        return SMALL_PARTS + call.method().length() + call.tool().length();
    }

    private static long of(Outcome outcome) {
        if (outcome instanceof Outcome.Answered answered) {
            return answered.response().length();
        }
        return outcome instanceof Outcome.Failed failed
                ? failed.failure().message().length()
                : 0;
    }
}
