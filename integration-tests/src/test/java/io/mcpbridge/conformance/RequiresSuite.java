package io.mcpbridge.conformance;

import io.mcpbridge.peers.PeersCondition;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A test that runs the conformance suite. It is skipped where the suite or its Node is not installed, and says what is
 * missing; where the variable {@code MCP_BRIDGE_REQUIRE_PEERS} is {@code true} it fails instead.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresSuite.Condition.class)
@interface RequiresSuite {

    /** Decides for {@link RequiresSuite}. */
    final class Condition implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return PeersCondition.decide(ConformanceSuite.missing(), "conformance");
        }
    }
}
