package io.mcpbridge.engine.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.RetryPolicy;
import java.time.Duration;
import java.util.Map;

/**
 * The retry policy and the attempt time-out of one server and of its tools. Immutable.
 *
 * @param rule the rule for all requests except calls of {@code tools}
 * @param tools the rules of single tools by their names
 */
public record RetryAndTimeoutPolicies(Rule rule, Map<String, Rule> tools) {

    public RetryAndTimeoutPolicies {
        tools = Map.copyOf(tools);
    }

    /**
     * The rule for one kind of request.
     *
     * @param policy decides whether a call is retried
     * @param attemptTimeout the longest time of one attempt
     */
    public record Rule(RetryPolicy policy, Duration attemptTimeout) {}

    /** Creates one rule for all requests to a server. */
    public static RetryAndTimeoutPolicies of(RetryPolicy policy, Duration attemptTimeout) {
        return new RetryAndTimeoutPolicies(new Rule(policy, attemptTimeout), Map.of());
    }

    public RetryPolicy policy(Call call) {
        return rule(call).policy();
    }

    public Duration attemptTimeout(Call call) {
        return rule(call).attemptTimeout();
    }

    private Rule rule(Call call) {
        if (tools.isEmpty() || !call.request().method().equals(Methods.TOOLS_CALL)) {
            return rule;
        }
        return call.request().text(MessageField.NAME).map(tools::get).orElse(rule);
    }
}
