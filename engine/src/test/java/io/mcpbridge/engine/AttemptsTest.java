package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.IdempotencyKey;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.engine.pipeline.AttemptLogger;
import io.mcpbridge.engine.pipeline.AttemptStage;
import io.mcpbridge.engine.pipeline.DeadlineStage;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.pipeline.Pipeline.Position;
import io.mcpbridge.engine.pipeline.RecoveryPolicy;
import io.mcpbridge.engine.pipeline.RetryBudget;
import io.mcpbridge.engine.pipeline.RetryStage;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.spi.RetryPolicy.Attempt;
import io.mcpbridge.spi.RetryPolicy.Decision;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.testkit.RecordingReply;
import io.mcpbridge.tool.ToolHints;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Attempts follow one another as the policy says, without a thread that waits and within the deadlines. */
class AttemptsTest {
    private final FakeTimekeeper time = new FakeTimekeeper();
    private final RecordingLogger log = new RecordingLogger();
    private final Environment environment = Environment.of(time, Runnable::run, Fakes.NO_LAUNCHER)
            .withLogger(log)
            .withVariables(Map.of());
    private final Script policy = new Script();
    private AttemptLogger attemptLog = new AttemptLogger.OfSingleServer(log, Level.DEBUG);
    private final List<Call> attempts = new ArrayList<>();
    private final List<Reply> replies = new ArrayList<>();
    private final Failure down = Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "down");

    @Test
    void failureIsRetriedAfterTheDelay() {
        policy.retryAfter(Duration.ofSeconds(1));
        var reply = begin();

        fail();
        time.advance(Duration.ofMillis(999));
        assertThat(attempts).hasSize(1);
        time.advance(Duration.ofMillis(1));

        assertThat(attempts).hasSize(2);
        assertThat(reply.isDone()).isFalse();
    }

    @Test
    void answerCarriesTheNumberOfAttempts() {
        policy.retryAfter(Duration.ZERO);
        var reply = begin();
        fail();
        time.advance(Duration.ZERO);

        last().complete(Outcome.answered(Response.result(MessageId.of(1), "{}")));

        assertThat(((Outcome.Answered) reply.awaitOutcome()).attempts()).isEqualTo(2);
    }

    @Test
    void failureCarriesTheNumberOfAttempts() {
        policy.retryAfter(Duration.ZERO, Duration.ZERO);
        var reply = begin();
        for (int i = 0; i < 3; i++) {
            fail();
            time.advance(Duration.ZERO);
        }

        assertThat(reply.awaitFailure().attempts()).isEqualTo(3);
        assertThat(policy.asked.stream().map(Attempt::number)).containsExactly(1, 2, 3);
    }

    @Test
    void failureOfTheServerIsReportedIfTheBreakerRejectsTheNextAttempt() {
        policy.retryAfter(Duration.ZERO);
        var reply = begin();
        last().complete(Outcome.failed(Failure.of(ErrorCode.PROVIDER_TIMEOUT, "timed out")
                .withDelivery(Delivery.UNKNOWN)
                .withRetryable(true)));
        time.advance(Duration.ZERO);

        last().complete(Outcome.failed(down.withBreakerOpen(Duration.ofSeconds(5))));

        var failure = reply.awaitFailure();
        assertThat(failure.code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
        assertThat(failure.attempts()).isEqualTo(1);
        assertThat(log.lines()).last().isEqualTo("[mcp-bridge] callTool echo failed after 1 attempt(s)");
    }

    @Test
    void crashIsReportedIfTheConnectionIsNotOpenedAgain() {
        policy.retryAfter(Duration.ZERO);
        var reply = begin();
        var crash = Failure.of(ErrorCode.PROVIDER_CRASHED, "exit code 7").withDelivery(Delivery.UNKNOWN);
        last().complete(Outcome.failed(crash));
        time.advance(Duration.ZERO);

        last().complete(Outcome.failed(crash.withDelivery(Delivery.NOT_SENT).withRetryable(false)));

        var failure = reply.awaitFailure();
        assertThat(failure.message()).isEqualTo("exit code 7");
        assertThat(failure.retryable()).isTrue();
        assertThat(failure.attempts()).isEqualTo(1);
    }

    @Test
    void serverErrorIsPassedToTheRetryPolicyAndForwardedUnchanged() {
        var reply = begin();

        last().complete(Outcome.answered(Response.error(MessageId.of(1), -32602, "no such tool")));

        assertThat(policy.asked.get(0).failure().serverError().orElseThrow().code())
                .isEqualTo(-32602);
        assertThat(reply.awaitAnswer().json()).contains("\"code\":-32602,\"message\":\"no such tool\"");
    }

    @Test
    void resultIsNotPassedToTheRetryPolicy() {
        begin();

        last().complete(Outcome.answered(Response.result(MessageId.of(1), "{\"isError\":true}")));

        assertThat(policy.asked).isEmpty();
    }

    @Test
    void attemptsOfACallShareOneIdempotencyKey() {
        policy.retryAfter(Duration.ZERO);
        begin();
        fail();
        time.advance(Duration.ZERO);

        assertThat(key(1).text()).isEqualTo(key(0).text());
        assertThat(UUID.fromString(key(0).text())).isNotNull();
        assertThat(policy.asked.get(0).keyAgreed()).isFalse();
    }

    @Test
    void policySeesAnAgreedKeyAndLaterAttemptsAreBoundToItsServer() {
        policy.retryAfter(Duration.ZERO);
        policy.believesInKeys = true;
        begin();
        key(0).sendTo("a bridge");

        last().complete(Outcome.failed(down.withDelivery(Delivery.UNKNOWN)));
        time.advance(Duration.ZERO);

        assertThat(policy.asked.get(0).keyAgreed()).isTrue();
        assertThat(key(1).sendTo("another bridge")).isFalse();
        assertThat(key(1).sendTo("a bridge")).isTrue();
    }

    @Test
    void attemptAfterAnAnswerHasANewIdempotencyKey() {
        policy.retryAfter(Duration.ZERO);
        begin();

        last().complete(Outcome.answered(Response.error(MessageId.of(1), -32603, "no")));
        time.advance(Duration.ZERO);

        assertThat(key(1).text()).isNotEqualTo(key(0).text());
    }

    @Test
    void unsentAttemptDoesNotHideAnEarlierUnknownDelivery() {
        policy.retryAfter(Duration.ZERO);
        var reply = begin();
        last().complete(Outcome.failed(down.withDelivery(Delivery.UNKNOWN)));
        time.advance(Duration.ZERO);

        fail();

        assertThat(policy.asked.get(1).failure().delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.UNKNOWN);
    }

    @Test
    void cancellationDuringTheDelayEndsTheCallAtOnce() {
        policy.retryAfter(Duration.ofSeconds(10));
        var call = call(Duration.ofMinutes(1));
        var reply = begin(call);
        fail();

        call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);

        assertThat(reply.outcomes()).hasSize(1);
        assertThat(time.pendingAlarms()).isZero();
        assertThat(attempts).hasSize(1);
    }

    @Test
    void cancelledCallIsNotRetried() {
        policy.retryAfter(Duration.ZERO);
        var call = call(Duration.ofMinutes(1));
        var reply = begin(call);

        call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
        fail();

        assertThat(reply.outcomes()).hasSize(1);
        assertThat(policy.asked).isEmpty();
    }

    @Test
    void delayBeyondTheDeadlineIsNotStarted() {
        policy.retryAfter(Duration.ofSeconds(5));
        var reply = begin(call(Duration.ofSeconds(5)));

        fail();

        assertThat(reply.isDone()).isTrue();
        assertThat(time.pendingAlarms()).isZero();
    }

    @Test
    void attemptThatTimesOutIsCancelledAndTheNextHasItsOwnTimeout() {
        policy.retryAfter(Duration.ofSeconds(1));
        begin();

        time.advance(Duration.ofSeconds(2));
        assertThat(attempts.get(0).cancellation().reason()).contains(CancelReason.TIMED_OUT);
        last().complete(Outcome.failed(Failure.of(ErrorCode.PROVIDER_TIMEOUT, "timed out")));
        time.advance(Duration.ofSeconds(1));

        assertThat(attempts).hasSize(2);
        assertThat(attempts.get(1).cancellation().isCancelled()).isFalse();
    }

    @Test
    void overallDeadlineEndsACallWithoutAnOutcome() {
        var reply = begin(call(Duration.ofMillis(1_500)));

        time.advance(Duration.ofMillis(1_500));

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
        assertThat(reply.awaitFailure().message()).contains("timed out after 1500 ms");
        last().complete(Outcome.failed(down));
        assertThat(reply.outcomes()).hasSize(1);
    }

    @Test
    void firstOutcomeOfAnAttemptWins() {
        policy.retryAfter(Duration.ofSeconds(1));
        var reply = begin();

        fail();
        last().complete(Outcome.answered(Response.result(MessageId.of(1), "{}")));

        assertThat(reply.isDone()).isFalse();
        assertThat(policy.asked).hasSize(1);
    }

    @Test
    void lateEventOfAnEarlierAttemptIsDropped() {
        policy.retryAfter(Duration.ZERO);
        var reply = begin();
        var first = last();
        fail();
        time.advance(Duration.ZERO);

        first.event(Request.of(MessageId.of(1), "late"));

        assertThat(reply.events()).isEmpty();
    }

    @Test
    void stageThatThrowsFailsItsCall() {
        var reply = OneServer.through(
                new Pipeline()
                        .handler(
                                call -> {
                                    throw new IllegalStateException("boom");
                                },
                                log),
                call(Duration.ofSeconds(1)));

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
        assertThat(reply.awaitFailure().message()).contains("boom");
    }

    @Test
    void endedCallLeavesNoAlarm() {
        var call = call(Duration.ofMinutes(1));
        begin(call);

        last().complete(Outcome.answered(Response.result(MessageId.of(1), "{}")));

        assertThat(time.pendingAlarms()).isZero();
    }

    @Test
    void attemptsAndDelaysAreLogged() {
        policy.retryAfter(Duration.ofSeconds(1), Duration.ofSeconds(2));
        begin();
        fail();
        time.advance(Duration.ofSeconds(1));
        fail();
        time.advance(Duration.ofSeconds(2));
        fail();

        assertThat(log.lines())
                .containsExactly(
                        "[mcp-bridge] callTool echo attempt 1/3",
                        "[mcp-bridge] retrying in 1000ms (error: down)",
                        "[mcp-bridge] callTool echo attempt 2/3",
                        "[mcp-bridge] retrying in 2000ms (error: down)",
                        "[mcp-bridge] callTool echo attempt 3/3",
                        "[mcp-bridge] callTool echo failed after 3 attempt(s)");
    }

    @Test
    void logNamesTheServerWithSeveralServers() {
        attemptLog = new AttemptLogger.OfServer("github", each -> Duration.ofSeconds(2), log, Level.DEBUG);
        policy.retryAfter(Duration.ofSeconds(1));
        begin();
        fail();
        time.advance(Duration.ofSeconds(1));
        fail();

        assertThat(log.lines())
                .containsExactly(
                        "[mcp-bridge] Calling tool github.echo [request c-1, timeout 2000ms, attempt 1]",
                        "[mcp-bridge] Tool call failed (retryable error): github.echo: down [request c-1, timeout 2000ms,"
                                + " attempt 1]",
                        "[mcp-bridge] Retrying github.echo (attempt 2/3) after 1000ms [request c-1, timeout 2000ms,"
                                + " attempt 2]",
                        "[mcp-bridge] Calling tool github.echo [request c-1, timeout 2000ms, attempt 2]",
                        "[mcp-bridge] Tool call failed after all retries: github.echo: down [request c-1, timeout 2000ms,"
                                + " attempt 2]");
    }

    @Test
    void logStatesWhyACallIsNotRetried() {
        begin();

        last().complete(Outcome.failed(down.withMessage("bad arguments").withRetryable(false)));

        assertThat(log.lines())
                .containsExactly(
                        "[mcp-bridge] callTool echo attempt 1/3",
                        "[mcp-bridge] callTool echo non-retryable error: bad arguments");
    }

    @Test
    void logNamesTheTimeoutOfTheCallIfItIsShorter() {
        attemptLog = new AttemptLogger.OfServer("github", each -> Duration.ofSeconds(90), log, Level.DEBUG);

        begin(call(Duration.ofSeconds(2)));

        assertThat(log.lines())
                .containsExactly("[mcp-bridge] Calling tool github.echo [request c-1, timeout 2000ms, attempt 1]");
    }

    @Test
    void callRejectedByAnOpenBreakerIsLoggedAsAWarning() {
        attemptLog = new AttemptLogger.OfServer("github", each -> Duration.ofSeconds(2), log, Level.DEBUG);
        begin();

        last().complete(Outcome.failed(down.withBreakerOpen(Duration.ofSeconds(5))));

        assertThat(log.entries())
                .last()
                .isEqualTo(new RecordingLogger.Entry(
                        Level.WARNING,
                        "[mcp-bridge] Tool call failed and is not tried again: github.echo: down [request c-1, timeout"
                                + " 2000ms, attempt 1]"));
    }

    @Test
    void serverErrorIsLoggedAsAWarningWithServerAndTool() {
        attemptLog = new AttemptLogger.OfServer("github", each -> Duration.ofSeconds(2), log, Level.DEBUG);
        begin();

        last().complete(Outcome.answered(Response.error(MessageId.of(1), -32602, "wrong arguments")));

        assertThat(log.entries())
                .last()
                .isEqualTo(new RecordingLogger.Entry(
                        Level.WARNING,
                        "[mcp-bridge] Tool call failed and is not tried again: github.echo: github answered with error"
                                + " -32602 [request c-1, timeout 2000ms, attempt 1]"));
    }

    private RecordingReply begin() {
        return begin(call(Duration.ofMinutes(1)));
    }

    private RecordingReply begin(Call call) {
        Next server = attempt -> {
            attempts.add(attempt);
            replies.add(attempt);
        };
        var rules = new RetryStage.Rules(
                each -> policy,
                any -> ToolHints.UNDECLARED,
                new RecoveryPolicy(true),
                RetryBudget.UNLIMITED,
                attemptLog);
        var timeout = Duration.ofSeconds(2);
        var handler = new Pipeline()
                .add(Position.OVERALL_DEADLINE, new DeadlineStage())
                .add(Position.RETRY, new RetryStage(rules, environment))
                .add(Position.ATTEMPT, new AttemptStage("one", any -> false, each -> timeout, List.of(), time))
                .handler(server, log);
        return OneServer.through(handler, call);
    }

    private Call call(Duration overall) {
        var request = Request.of(MessageId.of(1), Methods.TOOLS_CALL, "{\"name\":\"echo\"}");
        return Call.of(request, OneServer.client("alice"), "c-1", Deadline.after(overall, time));
    }

    private IdempotencyKey key(int attempt) {
        return attempts.get(attempt).idempotencyKey().orElseThrow();
    }

    private Reply last() {
        return replies.get(replies.size() - 1);
    }

    private void fail() {
        last().complete(Outcome.failed(down));
    }

    /** A policy that follows its script, then stops. */
    private static final class Script implements RetryPolicy {
        private final List<Duration> delays = new ArrayList<>();
        private final List<Attempt> asked = new ArrayList<>();
        private boolean believesInKeys;

        private void retryAfter(Duration... more) {
            delays.addAll(List.of(more));
        }

        @Override
        public Decision decide(Attempt failed) {
            asked.add(failed);
            if (believesInKeys && !failed.keyAgreed()) {
                return new Decision.InDoubt("no key");
            }
            return delays.isEmpty() ? new Decision.Stop("told so") : new Decision.Retry(delays.remove(0));
        }

        @Override
        public int maxAttempts() {
            return 3;
        }
    }
}
