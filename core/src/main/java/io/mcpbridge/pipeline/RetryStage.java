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
 * Tries a call as often as the policy says. The policy only decides; sleeping, deadlines, cancellation and
 * counting happen here.
 */
public final class RetryStage implements CallStage {
    private final Function<Call, RetryPolicy> policy;
    private final Function<Call, ToolHints> hints;
    private final AttemptLog log;
    private final Environment environment;

    /**
     * Makes the stage.
     *
     * @param policy what decides on repeating a call
     * @param hints what is known about repeating what a call asks for
     */
    public RetryStage(
            Function<Call, RetryPolicy> policy,
            Function<Call, ToolHints> hints,
            AttemptLog log,
            Environment environment) {
        this.policy = policy;
        this.hints = hints;
        this.log = log;
        this.environment = environment;
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        new AttemptLoop(call, reply, next, new AttemptLoop.Rules(policy.apply(call), hints, log, environment)).begin();
    }
}
