package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.RequestFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server whose calls of tools have a session each, where the test says what its processes do. */
class IsolatedSessionsTest {
    private final IsolatedServer bench = new IsolatedServer();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void sessionEndsAfterItsCallHasItsOutcome() {
        var reply = bench.send();
        bench.session(0).whileClosing(() -> assertThat(reply.isDone()).isTrue());

        bench.session(0).answer(bench.session(0).last(), IsolatedServer.DONE);

        assertThat(reply.awaitAnswer().isError()).isFalse();
        assertThat(bench.session(0).isClosed()).isTrue();
        assertThat(bench.session(0).isKilled()).isFalse();
        assertThat(bench.send().isDone()).isFalse();
        assertThat(bench.sessions()).isEqualTo(2);
    }

    @Test
    void processThatFailsItsHandshakeHoldsItsPlaceUntilItHasExited() {
        bench.use(IsolatedServer.isolated(Map.of("pool", Map.of("warm", 1, "max", 1))));
        bench.one().server.holdHandshakes();
        var reply = bench.send();
        bench.session(0).whileClosing(() -> {
            assertThat(reply.awaitFailure().message()).contains("not today");
            bench.one().time.advance(Duration.ofSeconds(5));
            assertThat(bench.sessions()).isEqualTo(1);
        });

        bench.session(0).receive(Response.error(handshakeId(), -32000, "not today"));

        assertThat(bench.session(0).isClosed()).isTrue();
        assertThat(bench.sessions()).isEqualTo(2);
    }

    @Test
    void closeEndsQueuedStartsAtOnce() {
        bench.use(IsolatedServer.isolated(Map.of("pool", Map.of("warm", 0, "max", 8))));
        bench.one().server.answerNothing();
        for (int i = 0; i < 6; i++) {
            bench.send();
        }
        var made = bench.one().server.made().size();

        bench.one().upstream().close();

        assertThat(bench.one().server.made()).hasSize(made);
        assertThat(bench.reading("isolation.busy")).isEqualTo("0 of at most 8");
    }

    private MessageId handshakeId() {
        return ((Request) bench.session(0).handshake().message()).id();
    }

    @Test
    void progressReachesTheCall() {
        var reply = bench.send(bench.call("{\"name\":\"echo\",\"_meta\":{\"progressToken\":\"mine\"}}"));
        var id = ((Request) bench.session(0).last().message()).id().raw();

        bench.session(0)
                .receive(Notification.of(Methods.PROGRESS, "{\"progressToken\":%s,\"progress\":1}".formatted(id)));

        assertThat(reply.awaitEvents(1)).hasSize(1);
    }

    @Test
    void cancelledCallIsCancelledOnTheWireAndItsProcessIsKilled() {
        var call = bench.toolCall();
        var reply = bench.send(call);
        bench.session(0).write(bench.session(0).last());

        call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(bench.session(0).abandoned()).hasSize(1);
        assertThat(bench.session(0).isKilled()).isTrue();
    }

    @Test
    void executionLimitKillsTheProcess() {
        bench.use(IsolatedServer.isolated(
                Map.of("maxExecutionMs", 200, "tools", Map.of("slow", Map.of("maxExecutionMs", 5_000)))));
        var quick = bench.send();
        var slow = bench.send(bench.call("{\"name\":\"slow\"}"));

        bench.one().time.advance(Duration.ofMillis(200));

        assertThat(quick.awaitFailure().message())
                .isEqualTo("'tools/call' to server 'tools' timed out after 200 ms, so its process was killed");
        assertThat(slow.isDone()).isFalse();
        bench.one().time.advance(Duration.ofMillis(4_800));
        assertThat(slow.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
    }

    @Test
    void statusShowsHowTheLastProcessCrashed() {
        bench.send();

        bench.session(0).write(bench.session(0).last());
        bench.session(0).end(Closed.exited(3, "out of luck"));

        var status = bench.one().upstream().status();
        assertThat(status.error()).contains("exit code 3").contains("out of luck");
        assertThat(status.errorAt()).contains(bench.one().time.now());
    }

    @Test
    void messagesDroppedByAClosingProcessAreNotReported() {
        var reply = bench.send();
        var aside = Outgoing.of(
                Notification.of("notifications/late", "{}"),
                ProtocolVersion.LATEST_LEGACY,
                Deadline.after(Duration.ofSeconds(1), bench.one().time));
        var why = Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "the connection is closed");
        bench.session(0)
                .whileClosing(
                        () -> bench.session(0).fail(aside, RequestFailure.of(RequestFailure.Kind.REQUEST_FAILED, why)));

        bench.session(0).answer(bench.session(0).last(), IsolatedServer.DONE);

        assertThat(reply.awaitAnswer().isError()).isFalse();
        assertThat(bench.one().log.lines()).noneMatch(line -> line.contains("dropped"));
        assertThat(bench.one().upstream().status().dropped()).isZero();
    }

    @Test
    void deadlineIsPausedWhileTheClientAnswersItsProcess() {
        var replies = new ArrayList<Reply>();
        var client = Caller.ANONYMOUS
                .withSession("alice")
                .withCapabilities("{\"elicitation\":{}}")
                .withClient((question, answer) -> replies.add(answer));
        var reply = bench.send(bench.one().call(Methods.TOOLS_CALL, "{\"name\":\"echo\"}", client));
        bench.session(0).write(bench.session(0).last());

        bench.session(0)
                .receive(Request.of(MessageId.of("question"), Methods.ELICITATION_CREATE, "{\"message\":\"?\"}"));
        bench.one().time.advance(Duration.ofMinutes(5));

        assertThat(replies).hasSize(1);
        assertThat(reply.isDone()).isFalse();
        bench.session(0).answer(bench.session(0).last(), IsolatedServer.DONE);
        assertThat(reply.isDone()).isTrue();
    }
}
