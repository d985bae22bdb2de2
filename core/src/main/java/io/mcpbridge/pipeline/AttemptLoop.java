package io.mcpbridge.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.IdempotencyKey;
import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.Attempt;
import io.mcpbridge.spi.Decision;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.tool.ToolHints;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * The attempts of one call, one after the other. Between two attempts the call is parked on an alarm; no thread
 * waits.
 */
final class AttemptLoop {
    private static final int TOO_MANY_REQUESTS = 429;

    /** What is the same for all calls of a stage. */
    record Rules(
            Function<Call, RetryPolicy> policy,
            Function<Call, ToolHints> hints,
            AttemptLog log,
            RetryBudget budget,
            Environment environment) {}

    private final Reply reply;
    private final Handler next;
    private final Rules rules;
    private final RetryPolicy policy;
    private Call call;
    private IdempotencyKey key;
    private boolean mayHaveRun;
    private int number;
    private boolean hadFreeRetry;

    AttemptLoop(Call call, Reply reply, Handler next, Rules rules) {
        this.key = IdempotencyKey.of(call, rules.environment().random());
        this.call = call.withIdempotencyKey(key);
        this.reply = reply;
        this.next = next;
        this.rules = rules;
        this.policy = rules.policy().apply(call);
    }

    void begin() {
        number++;
        rules.log().attempt(call, number, policy.maxAttempts());
        var child = call.cancellation().child();
        next.handle(call.withCancellation(child.cancellation()), new AttemptReply(child.link()));
    }

    private void ended(Outcome outcome) {
        if (outcome instanceof Outcome.Answered answered) {
            if (answered.response().isError()) {
                failed(JsonRpcErrors.toFailure(answered.response()), new Outcome.Answered(answered.response(), number));
                return;
            }
            rules.budget().succeeded();
            reply.done(number == 1 ? answered : new Outcome.Answered(answered.response(), number));
            return;
        }
        var ended = ((Outcome.Failed) outcome).failure().withAttempts(number);
        var failure = mayRunTwice() ? ended.withHarmless() : ended;
        failed(failure, Outcome.failed(truthful(failure)));
    }

    private boolean mayRunTwice() {
        return Methods.onlyReads(call.request().method())
                || rules.hints().apply(call).believed().allowsRepeating();
    }

    /** What the caller is told: a later attempt that was not sent does not undo an earlier one that may have run. */
    private Failure truthful(Failure failure) {
        var didNotRun = failure.delivery() == Delivery.NOT_SENT || failure.delivery() == Delivery.REJECTED;
        return mayHaveRun && didNotRun ? failure.withDelivery(Delivery.UNKNOWN) : failure;
    }

    /** Decides what follows a failed attempt; {@code last} is the outcome if nothing does. */
    private void failed(Failure failure, Outcome last) {
        var remaining = call.deadline().remaining();
        var hints = rules.hints().apply(call);
        var attempt = new Attempt(number, call.request().method(), failure, hints, remaining, key.isAgreed());
        mayHaveRun |= failure.delivery() == Delivery.UNKNOWN;
        if (call.cancellation().isCancelled()) {
            reply.done(last);
            return;
        }
        var decision = decide(attempt);
        if (decision instanceof Decision.Retry retry) {
            prepareKey(attempt);
            retry(retry.delay(), failure, last);
        } else if (decision instanceof Decision.InDoubt doubt) {
            var inDoubt = inDoubt(failure, doubt.reason());
            stop(inDoubt, Outcome.failed(inDoubt));
        } else {
            stop(failure, last);
        }
    }

    private Decision decide(Attempt attempt) {
        try {
            return policy.decide(attempt);
        } catch (RuntimeException defect) {
            // A plug-in's defect must not cost the caller its outcome.
            rules.environment().logger().log(Level.ERROR, "[mcp-bridge] the retry policy failed", defect);
            return new Decision.Stop("the retry policy failed: " + defect);
        }
    }

    /** What was answered is over: by the same key it would be answered so again, where nobody but us has chosen it. */
    private void prepareKey(Attempt failed) {
        if (failed.failure().delivery() == Delivery.ANSWERED) {
            renewKey();
        } else if (failed.keyAgreed() && !(decide(failed.withoutKey()) instanceof Decision.Retry)) {
            key.bind();
        }
    }

    private void renewKey() {
        if (!key.isGiven()) {
            key = IdempotencyKey.of(call, rules.environment().random());
            call = call.withIdempotencyKey(key);
        }
    }

    private static Failure inDoubt(Failure failure, String reason) {
        return failure.withCode(ErrorCode.IN_DOUBT)
                .withRetryable(false)
                .withMessage("%s; the call may have run and is not repeated: %s".formatted(failure.message(), reason));
    }

    private void retry(Duration delay, Failure failure, Outcome last) {
        if (number >= policy.maxAttempts() || delay.compareTo(call.deadline().remaining()) >= 0) {
            stop(failure, last);
            return;
        }
        if (!isFree(failure) && !rules.budget().pays(failure)) {
            stop(failure, last);
            return;
        }
        rules.log().retrying(call, number, policy.maxAttempts(), new AttemptLog.Retrying(failure, delay));
        new Pause(last).begin(delay);
    }

    /**
     * What never reached the server's logic has cost it nothing; that counts once for each call. A server that turns
     * calls away because there are too many is not to get more of them.
     */
    private boolean isFree(Failure failure) {
        var isThrottled = failure.status().orElse(0) == TOO_MANY_REQUESTS;
        var wasTurnedAway = failure.delivery() == Delivery.REJECTED && !isThrottled;
        if (hadFreeRetry || !(wasTurnedAway || failure.delivery() == Delivery.NOT_SENT)) {
            return false;
        }
        hadFreeRetry = true;
        return true;
    }

    private void stop(Failure failure, Outcome last) {
        rules.log().stopped(call, number, failure);
        reply.done(last);
    }

    /** Hears one attempt and lets go of its link to the call's cancellation. */
    private final class AttemptReply implements Reply {
        private final Cancellation.Registration link;
        private final AtomicBoolean isDone = new AtomicBoolean();

        private AttemptReply(Cancellation.Registration link) {
            this.link = link;
        }

        @Override
        public void event(Message progressOrLog) {
            if (!isDone.get()) {
                reply.event(progressOrLog);
            }
        }

        @Override
        public void done(Outcome outcome) {
            if (isDone.compareAndSet(false, true)) {
                link.remove();
                ended(outcome);
            }
        }
    }

    /** The time between two attempts, which a cancellation ends at once. */
    private final class Pause {
        private final Outcome last;
        private final AtomicBoolean isOver = new AtomicBoolean();
        private volatile Cancellation.Registration link = () -> {};

        private Pause(Outcome last) {
            this.last = last;
        }

        private void begin(Duration delay) {
            var alarm = rules.environment().timekeeper().schedule(delay, this::passed);
            link = call.cancellation().onCancel(reason -> {
                alarm.cancel();
                withdrawn();
            });
            if (isOver.get()) {
                link.remove();
            }
        }

        private void passed() {
            if (isOver.compareAndSet(false, true)) {
                link.remove();
                AttemptLoop.this.begin();
            }
        }

        private void withdrawn() {
            if (isOver.compareAndSet(false, true)) {
                reply.done(last);
            }
        }
    }
}
