package io.mcpbridge.gateway;

/**
 * How the audit of a daemon is.
 *
 * @param sink where records go
 * @param mode what becomes of calls whose records cannot be kept, as it is written in the configuration
 * @param trouble what keeps records from being kept at this moment, or the empty string
 */
public record AuditCondition(String sink, String mode, String trouble) {

    boolean isInTrouble() {
        return !trouble.isEmpty();
    }

    /** Whether no call can be sent because of the trouble. */
    boolean stopsCalls() {
        return isInTrouble() && mode.equals("required");
    }

    JsonObject write(JsonObject json) {
        return json.text("sink", sink).text("mode", mode).text("trouble", trouble);
    }
}
