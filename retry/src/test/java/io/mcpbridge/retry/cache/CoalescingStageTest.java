package io.mcpbridge.retry.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Response;
import io.mcpbridge.retry.FailedAttempts;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.testkit.HeldHandler;
import io.mcpbridge.testkit.RecordingReply;
import io.mcpbridge.testkit.StageFixture;
import io.mcpbridge.tool.ToolHints;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Concurrent equal reads are one call for the server, and each has its own outcome. */
@Timeout(60)
class CoalescingStageTest {
    private static final String READ = "{\"uri\":\"file:///a\"}";

    private final StageFixture calls = new StageFixture();
    private final HeldHandler server = new HeldHandler();
    private ToolHints hints = new ToolHints(true, false, true, false, ToolHints.Source.TRUSTED);
    private Era era = Era.LEGACY;
    private final CoalescingStage stage = new CoalescingStage(
            new CoalescingSettings(3),
            StageContext.of("tools", calls.environment())
                    .withHints(call -> hints)
                    .withEra(() -> Optional.of(era))
                    .withDigest(call -> call.request().method()
                            + call.request().raw(MessageField.URI).orElse("")
                            + call.request().raw(MessageField.ARGUMENTS).orElse("")));

    @Test
    void concurrentEqualReadsAreOneCallForTheServer() {
        var one = send(read("anna"));
        var other = send(read("anna"));

        var answer = server.call(0).answer("{\"contents\":[]}");

        assertThat(server.calls()).hasSize(1);
        assertThat(one.awaitAnswer()).isSameAs(answer);
        assertThat(other.awaitAnswer()).isSameAs(answer);
        assertThat(stage.readings().get(1).value()).isEqualTo(1);
    }

    @Test
    void usersNeverShareACall() {
        send(read("anna"));
        send(read("ben"));

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void callsThatMayChangeSomethingAreNotShared() {
        hints = ToolHints.UNDECLARED;

        send(calls.tool());
        send(calls.tool());

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void callsOfReadOnlyToolsAreShared() {
        send(calls.tool());
        send(calls.tool());

        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void callAfterTheAnswerIsNotShared() {
        send(read("anna"));
        server.call(0).answer("{}");

        send(read("anna"));

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void cancelledFollowerDoesNotAffectTheOthers() {
        var leader = send(read("anna"));
        var call = read("anna");
        var follower = send(call);

        call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);

        assertThat(follower.awaitFailure().code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(server.call(0).call().cancellation().isCancelled()).isFalse();
        server.call(0).answer("{}");
        assertThat(leader.awaitAnswer().isError()).isFalse();
        assertThat(follower.outcomes()).hasSize(1);
    }

    @Test
    void callContinuesWhenTheFirstCallerCancels() {
        var call = read("anna");
        send(call);
        var follower = send(read("anna"));

        call.cancellation().cancel(CancelReason.CLIENT_GONE);
        server.call(0).answer("{}");

        assertThat(follower.awaitAnswer().isError()).isFalse();
    }

    @Test
    void callIsCancelledWhenTheLastCallerCancels() {
        var one = read("anna");
        var other = read("anna");
        send(one);
        var last = send(other);

        one.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
        other.cancellation().cancel(CancelReason.CLIENT_GONE);

        assertThat(server.call(0).call().cancellation().reason()).contains(CancelReason.CLIENT_GONE);
        server.call(0).fail(FailedAttempts.notSent());
        assertThat(last.outcomes()).hasSize(1);
        send(read("anna"));
        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void progressReachesAllCallers() {
        var token = "{\"uri\":\"file:///a\",\"_meta\":{\"progressToken\":7}}";
        var one = send(calls.of(Methods.RESOURCES_READ, token));
        var other = send(calls.of(Methods.RESOURCES_READ, token));

        var event = server.call(0).progress(1);

        assertThat(one.events()).containsExactly(event);
        assertThat(other.events()).containsExactly(event);
    }

    @Test
    void callerThatWantsProgressJoinsNoCallWithoutIt() {
        send(read("anna"));
        send(calls.of(Methods.RESOURCES_READ, "{\"uri\":\"file:///a\",\"_meta\":{\"progressToken\":7}}"));

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void inputRequestGoesToTheFirstCallerAndTheOthersCallAgain() {
        var leader = send(read("anna"));
        var follower = send(read("anna"));

        server.call(0).answer("{\"resultType\":\"input_required\",\"requestState\":\"s\"}");

        assertThat(leader.isDone()).isTrue();
        assertThat(follower.isDone()).isFalse();
        server.call(1).answer("{}");
        assertThat(follower.awaitAnswer().has(MessageField.RESULT_STATE)).isFalse();
    }

    @Test
    void deadlineOfTheFirstDoesNotEndTheOthers() {
        var leader = send(read("anna"));
        var follower = send(read("anna"));

        server.call(0).fail(FailedAttempts.timedOut());

        assertThat(leader.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
        server.call(1).answer("{}");
        assertThat(follower.awaitAnswer().isError()).isFalse();
    }

    @Test
    void lateOutcomeDoesNotRemoveTheSuccessor() {
        var call = read("anna");
        send(call);
        call.cancellation().cancel(CancelReason.CLIENT_GONE);
        send(read("anna"));

        server.call(0).fail(FailedAttempts.notSent());
        send(read("anna"));

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void callerThatThrowsDoesNotAffectTheOthers() {
        StageFixture.send(stage, read("anna"), new ThrowingReply(), server);
        var follower = send(read("anna"));

        server.call(0).progress(1);
        server.call(0).answer("{}");

        assertThat(follower.events()).hasSize(1);
        assertThat(follower.awaitAnswer().isError()).isFalse();
    }

    @Test
    void handlerThatThrowsEndsOnlyItsCall() {
        var reply = StageFixture.send(stage, read("anna"), call -> {
            throw new IllegalStateException("defect");
        });

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
        send(read("anna"));
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void clientsWithDifferentCapabilitiesShareNoCall() {
        send(as("{\"sampling\":{}}", null));
        send(as("{}", null));
        send(as("{}", null));

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void callerThatWantsLogMessagesJoinsNoCallWithoutThem() {
        send(as("{}", null));
        send(as("{}", LogLevel.DEBUG));

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void clientsThatALegacyServerMaySendRequestsShareNoCall() {
        send(askable());
        send(askable());

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void clientsThatAcceptRequestsShareCallsOfAModernServer() {
        era = Era.MODERN;

        send(askable());
        send(askable());

        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void furtherRoundsOfACallAreNeverShared() {
        send(calls.of(Methods.RESOURCES_READ, "{\"uri\":\"file:///a\",\"requestState\":\"s\"}"));
        send(calls.of(Methods.RESOURCES_READ, "{\"uri\":\"file:///a\",\"requestState\":\"s\"}"));

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void callersBeyondTheLimitAreNotCoalesced() {
        for (int i = 0; i < 4; i++) {
            send(read("anna"));
        }

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void eachOfManyThreadsReceivesOneOutcome() throws InterruptedException {
        Queue<RecordingReply> replies = new ConcurrentLinkedQueue<>();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 4; i++) {
            threads.add(new Thread(() -> {
                for (int j = 0; j < 2_000; j++) {
                    replies.add(StageFixture.send(
                            stage,
                            read("anna"),
                            call -> call.complete(Outcome.answered(Response.result(MessageId.of(1), "{}")))));
                }
            }));
        }

        threads.forEach(Thread::start);
        for (var thread : threads) {
            thread.join();
        }

        assertThat(replies)
                .hasSize(8_000)
                .allSatisfy(reply -> assertThat(reply.outcomes()).hasSize(1));
    }

    private Call as(String declared, @Nullable LogLevel level) {
        var call = read("anna");
        var caller = call.caller().withVersion(ProtocolVersion.LATEST);
        return StageFixture.by(caller.withDeclared(declared).withLogLevel(level), call);
    }

    private Call askable() {
        var call = read("anna");
        var caller = call.caller().withCapabilities("{\"elicitation\":{}}").withClient((question, reply) -> {});
        return StageFixture.by(caller, call);
    }

    private RecordingReply send(Call call) {
        return StageFixture.send(stage, call, server);
    }

    private Call read(String principal) {
        return calls.by(principal, Methods.RESOURCES_READ, READ, Duration.ofMinutes(1));
    }

    private static final class ThrowingReply implements Reply {
        @Override
        public void event(Message progressOrLog) {
            throw new IllegalStateException("defect");
        }

        @Override
        public void complete(Outcome outcome) {
            throw new IllegalStateException("defect");
        }
    }
}
