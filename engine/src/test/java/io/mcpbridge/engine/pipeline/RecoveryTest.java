package io.mcpbridge.engine.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.engine.pipeline.Pipeline.Position;
import io.mcpbridge.engine.pipeline.RecoveryPolicy.Cause;
import io.mcpbridge.engine.pipeline.RecoveryPolicy.Remedy;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.spi.RetryPolicy.Attempt;
import io.mcpbridge.spi.RetryPolicy.Decision;
import io.mcpbridge.testkit.RecordingReply;
import io.mcpbridge.testkit.StageFixture;
import io.mcpbridge.tool.ToolHints;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Attempts that follow because a server rejected one for something the bridge assumed. */
class RecoveryTest {
    private final StageFixture calls = new StageFixture();
    private final List<PipelineCall> attempts = new ArrayList<>();
    private final List<Integer> decided = new ArrayList<>();
    private final RetryBudget budget = RetryBudget.of(new RetryBudgetSettings(10, 10, 10, 0, 0), calls.time());
    private Call call = calls.of(Methods.RESOURCES_READ, "{\"uri\":\"a:b\"}");
    private int maxAttempts = 1;
    private AttemptLogger log = AttemptLogger.NONE;
    private Next server = attempt -> attempts.add(PipelineCall.of(attempt));
    private boolean isBroken;

    @ParameterizedTest(name = "{0}")
    @EnumSource(Cause.class)
    void eachCauseAllowsOneExtraAttempt(Cause cause) {
        var reply = send();

        reject(cause, Remedy.DONE);
        reject(cause, Remedy.DONE);

        assertThat(reply.awaitFailure().attempts()).isEqualTo(2);
        assertThat(attempts).hasSize(2);
    }

    @Test
    void rejectionOfAnAttemptInAnAttemptAllowsAnotherOne() {
        server = attempt -> {
            var inner = PipelineCall.of(attempt).newAttempt(attempt.cancellation());
            inner.onComplete(attempt::complete);
            attempts.add(inner);
        };
        send();

        reject(Cause.SESSION_LOST, Remedy.DONE);

        assertThat(attempts).hasSize(2);
    }

    @Test
    void causesAreCountedSeparately() {
        var reply = send();

        reject(Cause.SESSION_LOST, Remedy.DONE);
        reject(Cause.UNAUTHORIZED, Remedy.DONE);
        last().complete(Outcome.answered(Response.result(MessageId.of(1), "{}")));

        assertThat(((Outcome.Answered) reply.awaitOutcome()).attempts()).isEqualTo(3);
    }

    @Test
    void policyDecidesOnlyOnItsOwnAttempts() {
        maxAttempts = 2;
        var reply = send();

        reject(Cause.SESSION_LOST, Remedy.DONE);
        reject(Cause.SESSION_LOST, Remedy.DONE);
        calls.time().advance(Duration.ofSeconds(1));
        reject(Cause.SESSION_LOST, Remedy.DONE);

        assertThat(decided).containsExactly(1, 2);
        assertThat(reply.awaitFailure().attempts()).isEqualTo(3);
    }

    @Test
    void recoveryIsPossibleWithoutARetryBudget() {
        send();
        reject(Cause.UNAUTHORIZED, Remedy.DONE);
        assertThat(budget.readings().get(0).value()).isZero();

        send();
        reject(Cause.UNAUTHORIZED, Remedy.DONE);

        assertThat(attempts).hasSize(4);
    }

    @Test
    void callIsSuspendedUntilTheCauseIsRemoved() {
        var steps = new ArrayList<Runnable>();
        send();

        reject(Cause.UNAUTHORIZED, (then, failed) -> steps.add(then));
        assertThat(attempts).hasSize(1);
        steps.forEach(Runnable::run);

        assertThat(attempts).hasSize(2);
    }

    @Test
    void failedRemedyFailsTheAttempt() {
        var reply = send();

        reject(Cause.UNAUTHORIZED, (then, failed) -> failed.accept(rejection("no credentials")));

        assertThat(reply.awaitFailure().message()).isEqualTo("no credentials");
        assertThat(reply.awaitFailure().attempts()).isEqualTo(1);
    }

    @Test
    void failedRemedyCostsNoBudget() {
        send();

        reject(Cause.UNAUTHORIZED, (then, failed) -> failed.accept(rejection("no credentials")));

        assertThat(budget.readings().get(0).value()).isEqualTo(10);
    }

    @Test
    void recoveryIsLoggedAtDebugOnly() {
        log = new AttemptLogger.OfServer("tools", each -> Duration.ofSeconds(1), calls.log(), Level.DEBUG);
        send();

        reject(Cause.SESSION_LOST, Remedy.DONE);
        last().complete(Outcome.answered(Response.result(MessageId.of(1), "{}")));

        assertThat(calls.log().entries()).isNotEmpty().allMatch(entry -> entry.level() == Level.DEBUG);
    }

    @Test
    void defectAtTheEndOfAnAttemptEndsTheCall() {
        var reply = send();
        isBroken = true;

        last().complete(Outcome.failed(rejection("rejected")));

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
    }

    @Test
    void defectAfterTheDelayEndsTheCall() {
        maxAttempts = 2;
        var reply = send();
        last().complete(Outcome.failed(rejection("rejected")));
        server = attempt -> {
            throw new IllegalStateException("a defect");
        };

        calls.time().advance(Duration.ofSeconds(1));

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
    }

    @Test
    void defectAfterAFailedRemedyEndsTheCall() {
        var remedies = new ArrayList<Consumer<Failure>>();
        var reply = send();
        reject(Cause.UNAUTHORIZED, (then, failed) -> remedies.add(failed));
        isBroken = true;

        remedies.get(0).accept(rejection("no credentials"));

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
    }

    @Test
    void defectInAResentOwnRequestEndsIt() {
        var handler = new Pipeline()
                .add(Position.RETRY, RetryStage.ofOwnRequests(new RecoveryPolicy(true), calls.environment()))
                .handler(attempt -> server.handle(attempt), calls.log());
        var steps = new ArrayList<Runnable>();
        var reply = new RecordingReply();
        handler.handle(call, reply);
        reject(Cause.UNAUTHORIZED, (then, failed) -> steps.add(then));
        server = attempt -> {
            throw new IllegalStateException("a defect");
        };

        steps.get(0).run();

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
    }

    @Test
    void cancellationDuringARemedyEndsTheCall() {
        var reply = send();
        reject(Cause.UNAUTHORIZED, (then, failed) -> {});

        call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);

        assertThat(reply.awaitFailure().message()).isEqualTo("rejected");
    }

    private RecordingReply send() {
        call = calls.of(Methods.RESOURCES_READ, "{\"uri\":\"a:b\"}");
        var reply = new RecordingReply();
        var rules = new RetryStage.Rules(
                each -> new Retrying(), each -> knownHints(), new RecoveryPolicy(true), budget, log);
        new Pipeline()
                .add(Position.RETRY, new RetryStage(rules, calls.environment()))
                .handler(attempt -> server.handle(attempt), calls.log())
                .handle(call, reply);
        return reply;
    }

    private ToolHints knownHints() {
        if (isBroken) {
            throw new IllegalStateException("a defect");
        }
        return ToolHints.UNDECLARED;
    }

    private PipelineCall last() {
        return attempts.get(attempts.size() - 1);
    }

    private void reject(Cause cause, Remedy remedy) {
        var attempt = last();
        attempt.rejected(cause, remedy);
        attempt.complete(Outcome.failed(rejection("rejected")));
    }

    private static Failure rejection(String why) {
        return Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, why).withDelivery(Delivery.REJECTED);
    }

    /** Retries after one second, and notes the numbers of the attempts. */
    private final class Retrying implements RetryPolicy {

        @Override
        public Decision decide(Attempt failed) {
            decided.add(failed.number());
            return failed.number() < maxAttempts
                    ? new Decision.Retry(Duration.ofSeconds(1))
                    : new Decision.Stop("enough");
        }

        @Override
        public int maxAttempts() {
            return maxAttempts;
        }
    }
}
