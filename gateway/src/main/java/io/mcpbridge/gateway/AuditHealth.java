package io.mcpbridge.gateway;

import io.mcpbridge.engine.AuditSinkChoice;
import io.mcpbridge.engine.CallAudit;
import java.time.Instant;
import java.util.Optional;

/**
 * The health of the audit of a daemon.
 *
 * @param sink the name of the sink
 * @param mode whether calls proceed when their records cannot be written, in the spelling of the configuration
 * @param error the current error of the sink, or the empty string
 * @param stopsCalls whether the daemon rejects calls because of the error
 * @param lost the number of records that were not written, or not in time, since the daemon started
 * @param lostSince when the first of them was lost
 */
public record AuditHealth(
        String sink, String mode, String error, boolean stopsCalls, long lost, Optional<Instant> lostSince) {

    static AuditHealth of(AuditSinkChoice choice, CallAudit audit) {
        return new AuditHealth(
                choice.sink(),
                choice.mode().text(),
                audit.fault().orElse(""),
                audit.stopsCalls(),
                audit.lost(),
                audit.lostSince());
    }

    boolean isFailing() {
        return !error.isEmpty();
    }
}
