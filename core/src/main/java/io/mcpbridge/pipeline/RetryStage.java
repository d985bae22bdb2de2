package io.mcpbridge.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Reply;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.tool.ToolHints;
import java.util.function.Function;

/**
 * Tries a call as often as the policy says. The policy only decides; sleeping, deadlines, cancellation,
 * counting and the budget happen here.
 */
public final class RetryStage implements CallStage {
    private final AttemptLoop.Rules rules;

    /**
     * Makes the stage, whose repetitions cost nothing.
     *
     * @param policy what decides on repeating a call
     * @param hints what is known about repeating what a call asks for
     */
    public RetryStage(
            Function<Call, RetryPolicy> policy,
            Function<Call, ToolHints> hints,
            AttemptLog log,
            Environment environment) {
        this(new AttemptLoop.Rules(policy, hints, log, RetryBudget.UNLIMITED, environment));
    }

    private RetryStage(AttemptLoop.Rules rules) {
        this.rules = rules;
    }

    /** The same, whose repetitions {@code budget} has to pay for. */
    public RetryStage withBudget(RetryBudget budget) {
        return new RetryStage(
                new AttemptLoop.Rules(rules.policy(), rules.hints(), rules.log(), budget, rules.environment()));
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        new AttemptLoop(call, reply, next, rules).begin();
    }
}
