package io.mcpbridge.peers;

import java.util.List;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Decides for {@link RequiresPeers}. */
public final class PeersCondition implements ExecutionCondition {
    private static final String REQUIRED = "MCP_BRIDGE_REQUIRE_PEERS";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return decide(NodePeers.missing(), "peers");
    }

    /** Decides whether a test runs that needs what npm installs in {@code folder}. */
    public static ConditionEvaluationResult decide(List<String> missing, String folder) {
        return decide(missing, folder, Boolean.parseBoolean(System.getenv(REQUIRED)));
    }

    /**
     * Runs the test if nothing is missing, and else skips it.
     *
     * @throws IllegalStateException if something is missing that is required
     */
    static ConditionEvaluationResult decide(List<String> missing, String folder, boolean isRequired) {
        if (missing.isEmpty()) {
            return ConditionEvaluationResult.enabled("what npm installs is there");
        }
        var told = "what npm installs is not there: missing are " + String.join(" and ", missing)
                + "; 'npm ci' in integration-tests/" + folder + " installs them";
        if (isRequired) {
            throw new IllegalStateException(told + ", and the variable " + REQUIRED + " is true");
        }
        return ConditionEvaluationResult.disabled(told);
    }
}
