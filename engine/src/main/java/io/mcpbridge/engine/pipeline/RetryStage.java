package io.mcpbridge.engine.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.IdempotencyKey;
import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.call.OneShotEnd;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.engine.pipeline.NoRetriesProvider.NoRetries;
import io.mcpbridge.engine.pipeline.RecoveryPolicy.Rejection;
import io.mcpbridge.engine.pipeline.RecoveryPolicy.Remedy;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.spi.RetryPolicy.Attempt;
import io.mcpbridge.spi.RetryPolicy.Decision;
import io.mcpbridge.tool.ToolHints;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the attempts of each call, one after the other. The {@link RetryPolicy} decides on retries. The {@link
 * RecoveryPolicy} decides whether to resend a request that the server rejected because of a wrong assumption of the
 * bridge; such attempts follow at once and do not count against the retry policy. This stage handles delays, deadlines,
 * cancellation, counting and the budget. Between two attempts the call is suspended; no thread waits.
 */
public record RetryStage(Rules rules, Environment environment) implements CallStage {

    private static final int TOO_MANY_REQUESTS = 429;

    private static final RetryPolicy NO_RETRIES = new NoRetries();

    /**
     * The policies and limits of the attempts.
     *
     * @param policies returns the retry policy of a call
     * @param hints returns whether the tool of a call may run twice
     * @param recovery decides on the attempts that follow a rejection
     * @param budget limits the retries
     */
    public record Rules(
            Function<Call, RetryPolicy> policies,
            Function<Call, ToolHints> hints,
            RecoveryPolicy recovery,
            RetryBudget budget,
            AttemptLogger log) {}

    /** Creates the stage of the bridge's own requests, which has recovery and no retries. */
    public static RetryStage ofOwnRequests(RecoveryPolicy recovery, Environment environment) {
        return new RetryStage(
                new Rules(
                        call -> NO_RETRIES,
                        call -> ToolHints.UNDECLARED,
                        recovery,
                        RetryBudget.UNLIMITED,
                        AttemptLogger.NONE),
                environment);
    }

    @Override
    public void handle(CallContext call, Next next) {
        new Attempts(PipelineCall.of(call), next).begin();
    }

    /** The end of the attempt with this number. */
    private record Ended(int number, Failure failure, Outcome outcome) {

        /** Whether the bridge rejected a later attempt because of such ends as this one. */
        private boolean explains(Failure rejected) {
            return rejected.isBreakerOpen()
                    || (rejected.delivery() == Delivery.NOT_SENT
                            && !rejected.retryable()
                            && rejected.code() == failure.code());
        }
    }

    /** The attempts of one call. */
    private final class Attempts {
        private final PipelineCall call;
        private final Next next;
        private final RetryPolicy policy;
        private @Nullable IdempotencyKey key;
        private PipelineCall attempt;
        private Cancellation.Registration link = () -> {};
        private boolean mayHaveRun;

        /** The end of the last attempt that was sent. */
        private @Nullable Ended sent;

        private int number;
        private int recoveries;
        private boolean hadFreeRetry;

        private Attempts(PipelineCall call, Next next) {
            this.call = call;
            this.attempt = call;
            this.next = next;
            this.policy = rules.policies().apply(call);
            this.key = policy == NO_RETRIES
                    ? null
                    : IdempotencyKey.of(call.request(), call.caller().principal(), environment.random());
        }

        private void begin() {
            number++;
            rules.log().attempt(call, number, maxAttempts());
            var own = call.cancellation().child();
            link = own.link();
            attempt = call.newAttempt(own.cancellation(), this::ended);
            if (key != null) {
                attempt.key(key);
            }
            next.handle(attempt);
        }

        private void ended(Outcome outcome) {
            link.remove();
            if (attempt.isDefect()) {
                call.complete(outcome);
                return;
            }
            if (outcome instanceof Outcome.Answered answered) {
                if (answered.response().isError()) {
                    failed(JsonRpcErrorMapper.toFailure(answered.response()), answered.withAttempts(number));
                    return;
                }
                rules.budget().succeeded();
                call.complete(number == 1 ? answered : answered.withAttempts(number));
                return;
            }
            var failure = inContext(((Outcome.Failed) outcome).failure());
            var rejection = attempt.rejection();
            if (rejection != null && mayRecover(rejection, failure)) {
                recover(rejection, failure);
            } else {
                failed(failure, Outcome.failed(truthful(failure)));
            }
        }

        private Failure inContext(Failure ended) {
            var counted = ended.withAttempts(number);
            return mayRunTwice() ? counted.withHarmless() : counted;
        }

        private boolean mayRecover(Rejection rejection, Failure failure) {
            return !isOver() && rules.recovery().resends(rejection.cause(), failure, call.recovered());
        }

        private boolean isOver() {
            return call.cancellation().isCancelled() || call.isEnded();
        }

        /**
         * Makes another attempt as soon as the cause of the rejection is removed, whatever the policy and the budget.
         */
        private void recover(Rejection rejection, Failure failure) {
            call.recover(rejection.cause());
            recoveries++;
            rules.log().resending(call, number, failure);
            new Pause(Outcome.failed(truthful(failure))).begin(rejection.remedy(), failure);
        }

        /** Returns the largest number of attempts, including those that recovery has added. */
        private int maxAttempts() {
            return policy.maxAttempts() + recoveries;
        }

        private boolean mayRunTwice() {
            return Methods.onlyReads(call.request().method())
                    || rules.hints().apply(call).believed().allowsRepeating();
        }

        /**
         * Returns the failure for the caller. If an earlier attempt may have run, the delivery is unknown, even if the
         * last attempt was not sent.
         */
        private Failure truthful(Failure failure) {
            var didNotRun = failure.delivery() == Delivery.NOT_SENT || failure.delivery() == Delivery.REJECTED;
            return mayHaveRun && didNotRun ? failure.withDelivery(Delivery.UNKNOWN) : failure;
        }

        /** Decides whether to retry a failed attempt; {@code last} is the outcome if it is the last one. */
        private void failed(Failure failure, Outcome last) {
            var remaining = call.deadline().remaining();
            var known = rules.hints().apply(call);
            var keyAgreed = key != null && key.isAgreed();
            var attempt =
                    new Attempt(number - recoveries, call.request().method(), failure, known, remaining, keyAgreed);
            mayHaveRun |= failure.delivery() == Delivery.UNKNOWN;
            if (failure.delivery() != Delivery.NOT_SENT) {
                sent = new Ended(number, failure, last);
            }
            if (isOver()) {
                call.complete(last);
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
                environment.logger().log(Level.ERROR, "[mcp-bridge] the retry policy failed", defect);
                return new Decision.Stop("the retry policy failed: " + defect);
            }
        }

        /**
         * Replaces the key of an answered attempt, since a server would repeat its answer for the same key. Keeps a key
         * of the client.
         */
        private void prepareKey(Attempt failed) {
            if (key == null) {
                return;
            }
            if (failed.failure().delivery() == Delivery.ANSWERED) {
                key = key.isGiven()
                        ? key
                        : IdempotencyKey.of(call.request(), call.caller().principal(), environment.random());
            } else if (failed.keyAgreed() && !(decide(failed.withoutKey()) instanceof Decision.Retry)) {
                key.bind();
            }
        }

        private static Failure inDoubt(Failure failure, String reason) {
            return failure.withCode(ErrorCode.IN_DOUBT)
                    .withRetryable(false)
                    .withMessage(
                            "%s; the call may have run and is not repeated: %s".formatted(failure.message(), reason));
        }

        private void retry(Duration delay, Failure failure, Outcome last) {
            if (number >= maxAttempts() || delay.compareTo(call.deadline().remaining()) >= 0) {
                stop(failure, last);
                return;
            }
            if (!isFree(failure) && !rules.budget().tryAcquire(failure)) {
                stop(failure.withBudgetSpent(), last instanceof Outcome.Failed ended ? unpaid(ended) : last);
                return;
            }
            rules.log().retrying(call, number, maxAttempts(), new AttemptLogger.Retrying(failure, delay));
            new Pause(last).begin(delay);
        }

        private static Outcome unpaid(Outcome.Failed ended) {
            return Outcome.failed(ended.failure().withBudgetSpent());
        }

        /**
         * Whether a retry takes no tokens: once per call, if the failed attempt did not reach the server's logic. A
         * retry after a 429 always takes tokens.
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
            // The caller learns what the server did rather than that the bridge has stopped trying.
            var end = sent != null && sent.explains(failure) ? sent : new Ended(number, failure, last);
            rules.log().stopped(call, end.number, end.failure);
            call.markLogged();
            call.complete(end.outcome);
        }

        /** The time between two attempts, which a cancellation ends at once. */
        private final class Pause {
            private final Outcome last;
            private final OneShotEnd end = new OneShotEnd();

            private Pause(Outcome last) {
                this.last = last;
            }

            private void begin(Duration delay) {
                var alarm = environment.timekeeper().schedule(delay, () -> end(Attempts.this::begin));
                var link = endWithTheCall();
                end.releasing(() -> {
                    alarm.cancel();
                    link.remove();
                });
            }

            private void begin(Remedy remedy, Failure rejected) {
                end.releasing(endWithTheCall()::remove);
                if (!end.isOver()) {
                    remedy.apply(() -> end(() -> resend(rejected)), why -> end(() -> giveUp(why)));
                }
            }

            private Cancellation.Registration endWithTheCall() {
                return call.cancellation().onCancel(reason -> end(() -> call.complete(last)));
            }

            private void end(Runnable then) {
                if (end.end()) {
                    call.run(then);
                }
            }

            private void resend(Failure rejected) {
                rules.budget().charge(rejected);
                Attempts.this.begin();
            }

            /** The cause of a rejection stays, so recovery makes no attempt. */
            private void giveUp(Failure why) {
                recoveries--;
                var failure = inContext(why);
                failed(failure, Outcome.failed(truthful(failure)));
            }
        }
    }
}
