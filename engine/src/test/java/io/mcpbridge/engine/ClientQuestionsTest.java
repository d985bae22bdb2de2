package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The deadline of a call is paused during a server request, up to a limit. */
class ClientQuestionsTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final OneServer bench = OneServer.with(Map.of("reconnect-attempts", 0));
    private final List<Call> asked = new CopyOnWriteArrayList<>();
    private final List<Reply> replies = new CopyOnWriteArrayList<>();
    private Call call;

    @BeforeEach
    void callAndBeAsked() {
        var caller = Caller.ANONYMOUS.withSession("alice").withClient((question, reply) -> {
            asked.add(question);
            replies.add(reply);
        });
        call = bench.call(Methods.TOOLS_CALL, "{\"name\":\"echo\"}", caller);
        bench.send(call);
        bench.connection().receive(Request.of(MessageId.of(7), Methods.ELICITATION_CREATE, "{}"));
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void deadlineIsPausedDuringAServerRequest() {
        var before = call.deadline().remaining();

        bench.time.advance(Duration.ofMinutes(9));

        assertThat(call.deadline().remaining()).isEqualTo(before);
    }

    @Test
    void deadlineContinuesAfterTheAnswerOfTheClient() {
        var before = call.deadline().remaining();

        replies.get(0).complete(Outcome.answered(Response.result(MessageId.of(1), "{\"action\":\"accept\"}")));
        bench.time.advance(Duration.ofMinutes(1));

        assertThat(call.deadline().remaining()).isEqualTo(before.minusMinutes(1));
        assertThat(responsesToTheServer()).singleElement().asString().contains("\"id\":7", "accept");
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void unansweredServerRequestIsCancelledAndTheServerGetsAnError() {
        bench.time.advance(TIMEOUT);

        assertThat(asked.get(0).cancellation().reason()).contains(CancelReason.TIMED_OUT);
        assertThat(responsesToTheServer()).singleElement().asString().contains("\"id\":7", "\"error\"", "timed out");
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void lateAnswerIsNotForwarded() {
        bench.time.advance(TIMEOUT);

        replies.get(0).complete(Outcome.answered(Response.result(MessageId.of(1), "{\"action\":\"accept\"}")));

        assertThat(responsesToTheServer()).hasSize(1);
    }

    @Test
    void endOfTheCallCancelsTheServerRequest() {
        call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);

        assertThat(responsesToTheServer()).singleElement().asString().contains("\"error\"");
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void endOfTheSessionCancelsServerRequestsAndAlarms() {
        bench.connection().end(Closed.disconnected("gone"));

        assertThat(asked.get(0).cancellation().isCancelled()).isTrue();
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void endOfAnotherCallOfTheClientDoesNotCancelTheServerRequest() {
        var later = bench.call(Methods.TOOLS_CALL, "{\"name\":\"echo\"}", call.caller());
        bench.send(later);
        bench.connection().receive(Request.of(MessageId.of(8), Methods.ELICITATION_CREATE, "{}"));
        var before = call.deadline().remaining();
        replies.get(0).complete(Outcome.answered(Response.result(MessageId.of(1), "{}")));

        bench.connection().answer(bench.connection().last(), "{}");
        bench.time.advance(Duration.ofMinutes(1));
        assertThat(asked.get(1).cancellation().isCancelled()).isFalse();
        assertThat(call.deadline().remaining()).isEqualTo(before);
        replies.get(1).complete(Outcome.answered(Response.result(MessageId.of(1), "{\"action\":\"accept\"}")));
        bench.time.advance(Duration.ofMinutes(1));

        assertThat(responsesToTheServer().get(1)).contains("\"id\":8", "accept");
        assertThat(call.deadline().remaining()).isEqualTo(before.minusMinutes(1));
    }

    @Test
    void callThatEndsDuringAServerRequestLeavesNoPausedDeadline() throws InterruptedException {
        replies.get(0).complete(Outcome.answered(Response.result(MessageId.of(1), "{}")));
        for (int round = 100; round < 600; round++) {
            var raced = bench.call(Methods.TOOLS_CALL, "{\"name\":\"echo\"}", call.caller());
            bench.send(raced);
            var question = Request.of(MessageId.of(round), Methods.ELICITATION_CREATE, "{}");
            var start = new CountDownLatch(1);
            var canceller = new Thread(() -> {
                start.countDown();
                raced.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
            });
            canceller.start();
            start.await();
            bench.connection().receive(question);
            canceller.join();

            // The first call of this client is still there, so the question may have gone on to it.
            replies.forEach(reply -> reply.complete(Outcome.answered(Response.result(MessageId.of(1), "{}"))));
            var before = raced.deadline().remaining();
            bench.time.advance(Duration.ofMillis(1));
            assertThat(raced.deadline().remaining()).isEqualTo(before.minusMillis(1));
        }
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    private List<String> responsesToTheServer() {
        return bench.connection().messages().stream()
                .filter(Response.class::isInstance)
                .map(Message::json)
                .toList();
    }
}
