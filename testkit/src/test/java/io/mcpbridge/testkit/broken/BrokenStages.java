package io.mcpbridge.testkit.broken;

import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.testkit.contract.CallStageContract;
import java.time.Duration;
import org.junit.jupiter.api.extension.ExtendWith;

/** Stages with one broken promise each, under their contract. The build does not run them by themselves. */
final class BrokenStages {

    private BrokenStages() {}

    /** Passes each call on twice. */
    @ExtendWith(OnlyWhenAsked.class)
    static final class PassesTwice extends CallStageContract {
        @Override
        protected CallStage stage(Environment environment) {
            return (call, next) -> {
                next.handle(call);
                next.handle(call);
            };
        }
    }

    /** Never lets a call through. */
    @ExtendWith(OnlyWhenAsked.class)
    static final class KeepsCalls extends CallStageContract {
        @Override
        protected CallStage stage(Environment environment) {
            return (call, next) -> {};
        }
    }

    /** Hides from the holder of the call that it was cancelled. */
    @ExtendWith(OnlyWhenAsked.class)
    static final class HidesCancellation extends CallStageContract {
        @Override
        protected CallStage stage(Environment environment) {
            return (call, next) -> {
                var hiding = call.newAttempt(new Cancellation());
                hiding.onComplete(call::complete);
                next.handle(hiding);
            };
        }
    }

    /** Sets an alarm for each call and forgets it. */
    @ExtendWith(OnlyWhenAsked.class)
    static final class ForgetsAlarms extends CallStageContract {
        @Override
        protected CallStage stage(Environment environment) {
            return (call, next) -> {
                environment.timekeeper().schedule(Duration.ofMinutes(1), () -> {});
                next.handle(call);
            };
        }
    }

    /** Replaces failures, and passes notifications on twice. */
    @ExtendWith(OnlyWhenAsked.class)
    static final class RewritesFailures extends CallStageContract {
        @Override
        protected CallStage stage(Environment environment) {
            return (call, next) -> {
                var attempt = call.newAttempt(call.cancellation());
                attempt.onEvent(call::event);
                attempt.onComplete(outcome -> call.complete(
                        outcome instanceof Outcome.Failed
                                ? Outcome.failed(Failure.of(ErrorCode.INTERNAL_ERROR, "odd"))
                                : outcome));
                next.handle(attempt);
            };
        }
    }
}
