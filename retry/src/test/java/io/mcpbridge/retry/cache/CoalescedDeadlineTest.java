package io.mcpbridge.retry.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Handler;
import io.mcpbridge.engine.pipeline.AttemptStage;
import io.mcpbridge.engine.pipeline.DeadlineStage;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.pipeline.Pipeline.Position;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.Methods;
import io.mcpbridge.retry.FailedAttempts;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.testkit.HeldHandler;
import io.mcpbridge.testkit.RecordingReply;
import io.mcpbridge.testkit.StageFixture;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A coalesced call ends at its first caller's deadline; callers that joined later repeat it as one. */
@Timeout(60)
class CoalescedDeadlineTest {
    private static final Duration STEP = Duration.ofSeconds(1);

    private final StageFixture calls = new StageFixture();
    private final HeldHandler server = new HeldHandler();
    private final CoalescingStage coalescing = new CoalescingStage(
            CoalescingSettings.DEFAULTS,
            StageContext.of("tools", calls.environment())
                    .withDigest(call -> call.request().method()));
    private final AttemptStage attempt =
            new AttemptStage("tools", any -> false, call -> Duration.ofSeconds(30), List.of(), calls.time());
    private final Handler stages = new Pipeline()
            .add(Position.OVERALL_DEADLINE, new DeadlineStage())
            .add(Position.COALESCING, coalescing)
            .add(Position.ATTEMPT, attempt)
            .handler(server, calls.log());

    @Test
    void lostAnswerDoesNotAffectLaterCallers() {
        var replies = Stream.generate(() -> {
                    calls.time().advance(STEP);
                    return send(read(10));
                })
                .limit(25)
                .toList();

        assertThat(server.calls()).hasSize(3);
        server.last().answer("{}");

        assertThat(replies.subList(20, 25))
                .allSatisfy(reply -> assertThat(reply.awaitAnswer().isError()).isFalse());
        assertThat(replies).allSatisfy(reply -> assertThat(reply.outcomes()).hasSizeBetween(0, 1));
    }

    @Test
    void deadlineCancelsTheCallAndAnotherCallerLeads() {
        var leader = send(read(10));
        calls.time().advance(STEP);
        var followers = Stream.generate(() -> send(read(10))).limit(50).toList();

        calls.time().advance(Duration.ofSeconds(9));

        assertThat(leader.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
        assertThat(server.call(0).call().cancellation().reason()).contains(CancelReason.TIMED_OUT);
        assertThat(server.calls()).hasSize(2);
        server.call(1).answer("{}");
        assertThat(followers)
                .allSatisfy(reply -> assertThat(reply.awaitAnswer().isError()).isFalse());
    }

    @Test
    void timedOutAttemptIsRetriedOnceForTheOthers() {
        var leader = send(read(40));
        var followers = Stream.generate(() -> send(read(60))).limit(50).toList();

        calls.time().advance(Duration.ofSeconds(30));
        assertThat(server.call(0).call().cancellation().reason()).contains(CancelReason.TIMED_OUT);
        server.call(0).fail(FailedAttempts.timedOut());

        assertThat(leader.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
        assertThat(server.calls()).hasSize(2);
        assertThat(followers).noneMatch(RecordingReply::isDone);
    }

    @Test
    void expiredCallersAreNotRetried() {
        var replies = Stream.generate(() -> send(read(10))).limit(3).toList();

        calls.time().advance(Duration.ofSeconds(10));

        assertThat(replies)
                .allSatisfy(reply -> assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT));
        assertThat(server.calls()).hasSize(1);
        assertThat(calls.time().pendingAlarms()).isZero();
    }

    @Test
    void deadlineOfACancelledFirstCallerStillApplies() {
        var leading = read(10);
        send(leading);
        var follower = send(read(60));
        leading.cancellation().cancel(CancelReason.CLIENT_CANCELLED);

        calls.time().advance(Duration.ofSeconds(10));
        server.call(1).answer("{}");

        assertThat(follower.awaitAnswer().isError()).isFalse();
        assertThat(calls.time().pendingAlarms()).isZero();
    }

    private RecordingReply send(Call call) {
        var reply = new RecordingReply();
        stages.handle(call, reply);
        return reply;
    }

    private Call read(int seconds) {
        return calls.by("anna", Methods.RESOURCES_READ, "{}", Duration.ofSeconds(seconds));
    }
}
