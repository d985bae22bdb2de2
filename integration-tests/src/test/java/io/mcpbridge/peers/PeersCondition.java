package io.mcpbridge.peers;

import java.util.List;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Decides for {@link RequiresPeers}. */
final class PeersCondition implements ExecutionCondition {
    static final String REQUIRED = "MCP_BRIDGE_REQUIRE_PEERS";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return decide(NodePeers.missing(), Boolean.parseBoolean(System.getenv(REQUIRED)));
    }

    /**
     * Runs the test if nothing is missing, and else skips it.
     *
     * @throws IllegalStateException if something is missing that is required
     */
    static ConditionEvaluationResult decide(List<String> missing, boolean isRequired) {
        if (missing.isEmpty()) {
            return ConditionEvaluationResult.enabled("the peers are installed");
        }
        var told = "the peers of npm are not there: missing are " + String.join(" and ", missing)
                + "; 'npm ci' in integration-tests/peers installs them";
        if (isRequired) {
            throw new IllegalStateException(told + ", and the variable " + REQUIRED + " is true");
        }
        return ConditionEvaluationResult.disabled(told);
    }
}
