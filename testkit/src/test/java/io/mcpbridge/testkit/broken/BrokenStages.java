package io.mcpbridge.testkit.broken;

import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.testkit.contract.CallStageContract;
import java.time.Duration;
import org.junit.jupiter.api.extension.ExtendWith;

/** Stages with one broken promise each, under their contract. The build does not run them by themselves. */
final class BrokenStages {

    private BrokenStages() {}

    /** Ends each call twice. */
    @ExtendWith(OnlyWhenAsked.class)
    static final class EndsTwice extends CallStageContract {
        @Override
        protected CallStage stage(Environment environment) {
            return (call, reply, next) -> {
                next.handle(call, reply);
                call.cancellation().onCancel(why -> reply.done(Outcome.failed(Failure.of(why.code(), "again"))));
            };
        }
    }

    /** Never lets a call through. */
    @ExtendWith(OnlyWhenAsked.class)
    static final class KeepsCalls extends CallStageContract {
        @Override
        protected CallStage stage(Environment environment) {
            return (call, reply, next) -> {};
        }
    }

    /** Hides from whoever holds the call that it was withdrawn. */
    @ExtendWith(OnlyWhenAsked.class)
    static final class HidesCancellation extends CallStageContract {
        @Override
        protected CallStage stage(Environment environment) {
            return (call, reply, next) -> next.handle(call.withCancellation(new Cancellation()), reply);
        }
    }

    /** Sets an alarm for each call and forgets it. */
    @ExtendWith(OnlyWhenAsked.class)
    static final class ForgetsAlarms extends CallStageContract {
        @Override
        protected CallStage stage(Environment environment) {
            return (call, reply, next) -> {
                environment.timekeeper().schedule(Duration.ofMinutes(1), () -> {});
                next.handle(call, reply);
            };
        }
    }

    /** Tells another failure than the one that there was. */
    @ExtendWith(OnlyWhenAsked.class)
    static final class RewritesFailures extends CallStageContract {
        @Override
        protected CallStage stage(Environment environment) {
            return (call, reply, next) -> next.handle(call, new Reply() {
                @Override
                public void event(Message progressOrLog) {}

                @Override
                public void done(Outcome outcome) {
                    reply.done(
                            outcome instanceof Outcome.Failed
                                    ? Outcome.failed(Failure.of(ErrorCode.INTERNAL_ERROR, "odd"))
                                    : outcome);
                }
            });
        }
    }
}
