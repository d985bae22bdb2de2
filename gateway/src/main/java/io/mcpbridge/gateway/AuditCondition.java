package io.mcpbridge.gateway;

/**
 * How the audit of a daemon is.
 *
 * @param sink where records go
 * @param mode what becomes of calls whose records cannot be kept, as it is written in the configuration
 * @param trouble what the sink fails at, at this moment, or the empty string
 * @param stopsCalls whether no call can be sent because of it
 */
public record AuditCondition(String sink, String mode, String trouble, boolean stopsCalls) {

    boolean isInTrouble() {
        return !trouble.isEmpty();
    }

    JsonObject write(JsonObject json) {
        return json.text("sink", sink)
                .text("mode", mode)
                .text("trouble", trouble)
                .raw("stopsCalls", Boolean.toString(stopsCalls));
    }
}
