package io.mcpbridge.gateway;

import java.time.Instant;
import java.util.Optional;

/**
 * How the audit of a daemon is.
 *
 * @param sink where records go
 * @param mode what becomes of calls whose records cannot be kept, as it is written in the configuration
 * @param trouble what the sink fails at, at this moment, or the empty string
 * @param stopsCalls whether no call can be sent because of it
 * @param lost how many records were not kept, or not in time, since the daemon began
 * @param lostSince when the first of them was lost
 */
public record AuditCondition(
        String sink, String mode, String trouble, boolean stopsCalls, long lost, Optional<Instant> lostSince) {

    /** One that lost nothing. */
    public AuditCondition(String sink, String mode, String trouble, boolean stopsCalls) {
        this(sink, mode, trouble, stopsCalls, 0, Optional.empty());
    }

    boolean isInTrouble() {
        return !trouble.isEmpty();
    }

    JsonObject write(JsonObject json) {
        json.text("sink", sink)
                .text("mode", mode)
                .text("trouble", trouble)
                .raw("stopsCalls", Boolean.toString(stopsCalls))
                .number("lost", lost);
        lostSince.ifPresent(since -> json.text("lostSince", since.toString()));
        return json;
    }
}
