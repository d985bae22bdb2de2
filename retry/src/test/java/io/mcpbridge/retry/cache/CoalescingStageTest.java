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
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.testkit.FailedAttempts;
import io.mcpbridge.testkit.HeldHandler;
import io.mcpbridge.testkit.RecordingReply;
import io.mcpbridge.testkit.StageCalls;
import io.mcpbridge.tool.ToolHints;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that read the same at the same time are one for the server, and each still its own for its client. */
@Timeout(60)
class CoalescingStageTest {
    private static final String READ = "{\"uri\":\"file:///a\"}";

    private final StageCalls calls = new StageCalls();
    private final HeldHandler server = new HeldHandler();
    private ToolHints hints = new ToolHints(true, false, true, false, ToolHints.Source.TRUSTED);
    private Era era = Era.LEGACY;
    private final CoalescingStage stage = new CoalescingStage(
            new CoalescingSettings(3),
            StageContext.of("tools", calls.environment())
                    .hints(call -> hints)
                    .era(() -> Optional.of(era))
                    .digest(call -> call.request().method()
                            + call.request().raw(Part.URI).orElse("")
                            + call.request().raw(Part.ARGUMENTS).orElse(""))
                    .build());

    @Test
    void twoThatReadTheSameAreOneForTheServer() {
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
    void toolsThatMayChangeSomethingGoTheirOwnWay() {
        hints = ToolHints.UNDECLARED;

        send(calls.tool());
        send(calls.tool());

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void toolsThatOnlyReadAreShared() {
        send(calls.tool());
        send(calls.tool());

        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void anAnswerEndsTheSharing() {
        send(read("anna"));
        server.call(0).answer("{}");

        send(read("anna"));

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void aFollowerThatIsWithdrawnLeavesTheOthersAlone() {
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
    void theFirstMayLeaveTooAndTheCallGoesOn() {
        var call = read("anna");
        send(call);
        var follower = send(read("anna"));

        call.cancellation().cancel(CancelReason.CLIENT_GONE);
        server.call(0).answer("{}");

        assertThat(follower.awaitAnswer().isError()).isFalse();
    }

    @Test
    void theCallIsWithdrawnWhenTheLastOneLeaves() {
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
    void progressGoesToAll() {
        var token = "{\"uri\":\"file:///a\",\"_meta\":{\"progressToken\":7}}";
        var one = send(calls.of(Methods.RESOURCES_READ, token));
        var other = send(calls.of(Methods.RESOURCES_READ, token));

        var event = server.call(0).progress(1);

        assertThat(one.events()).containsExactly(event);
        assertThat(other.events()).containsExactly(event);
    }

    @Test
    void whoeverWantsProgressJoinsNoCallWithoutIt() {
        send(read("anna"));
        send(calls.of(Methods.RESOURCES_READ, "{\"uri\":\"file:///a\",\"_meta\":{\"progressToken\":7}}"));

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void whenTheServerAsksBackTheFirstIsAskedAndTheOthersAskByThemselves() {
        var leader = send(read("anna"));
        var follower = send(read("anna"));

        server.call(0).answer("{\"resultType\":\"input_required\",\"requestState\":\"s\"}");

        assertThat(leader.isDone()).isTrue();
        assertThat(follower.isDone()).isFalse();
        server.call(1).answer("{}");
        assertThat(follower.awaitAnswer().has(Part.RESULT_STATE)).isFalse();
    }

    @Test
    void aDeadlineOfTheFirstIsNotThatOfTheOthers() {
        var leader = send(read("anna"));
        var follower = send(read("anna"));

        server.call(0).fail(FailedAttempts.timedOut());

        assertThat(leader.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
        server.call(1).answer("{}");
        assertThat(follower.awaitAnswer().isError()).isFalse();
    }

    @Test
    void anOutcomeThatComesLateTakesNoSuccessorOutOfTheWay() {
        var call = read("anna");
        send(call);
        call.cancellation().cancel(CancelReason.CLIENT_GONE);
        send(read("anna"));

        server.call(0).fail(FailedAttempts.notSent());
        send(read("anna"));

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void oneMemberThatThrowsCostsTheOthersNothing() {
        stage.handle(read("anna"), new ThrowingReply(), server);
        var follower = send(read("anna"));

        server.call(0).progress(1);
        server.call(0).answer("{}");

        assertThat(follower.events()).hasSize(1);
        assertThat(follower.awaitAnswer().isError()).isFalse();
    }

    @Test
    void aHandlerThatThrowsEndsTheCallAndPoisonsNoOther() {
        var reply = StageCalls.send(stage, read("anna"), (call, passed) -> {
            throw new IllegalStateException("defect");
        });

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
        send(read("anna"));
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void clientsOfOneUserThatCanDoDifferentThingsShareNoCall() {
        send(as("{\"sampling\":{}}", null));
        send(as("{}", null));
        send(as("{}", null));

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void whoeverWantsLogMessagesJoinsNoCallWithoutThem() {
        send(as("{}", null));
        send(as("{}", LogLevel.DEBUG));

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void clientsThatALegacyServerMayAskShareNoCall() {
        send(askable());
        send(askable());

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void clientsThatCanBeAskedShareTheCallsOfAModernServer() {
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
    void noMoreThanTheLimitShareOneCall() {
        for (int i = 0; i < 4; i++) {
            send(read("anna"));
        }

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void manyThreadsGetOneOutcomeEach() throws InterruptedException {
        Queue<RecordingReply> replies = new ConcurrentLinkedQueue<>();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 4; i++) {
            threads.add(new Thread(() -> {
                for (int j = 0; j < 2_000; j++) {
                    replies.add(StageCalls.send(
                            stage,
                            read("anna"),
                            (call, reply) -> reply.done(Outcome.answered(Response.result(MessageId.of(1), "{}")))));
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
        var caller = call.caller().but().version(ProtocolVersion.LATEST);
        return call.withCaller(caller.declared(declared).logLevel(level).build());
    }

    private Call askable() {
        var call = read("anna");
        var caller = call.caller().but().capabilities("{\"elicitation\":{}}").client((question, reply) -> {});
        return call.withCaller(caller.build());
    }

    private RecordingReply send(Call call) {
        return StageCalls.send(stage, call, server);
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
        public void done(Outcome outcome) {
            throw new IllegalStateException("defect");
        }
    }
}
