package io.mcpbridge.testkit.broken;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips tests that are meant to fail unless they are requested; builds that scan every class would run them. */
final class OnlyWhenAsked implements ExecutionCondition {
    static final String KEY = "mcpbridge.broken";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return context.getConfigurationParameter(KEY).isPresent()
                ? ConditionEvaluationResult.enabled("asked for")
                : ConditionEvaluationResult.disabled("meant to fail");
    }
}
