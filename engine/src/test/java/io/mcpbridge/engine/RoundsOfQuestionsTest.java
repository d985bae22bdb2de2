package io.mcpbridge.engine;

import static io.mcpbridge.engine.LeasingClients.CAPABILITIES;
import static io.mcpbridge.engine.LeasingClients.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A modern client receives the requests that a legacy server sent before it answered a ping at once. */
class RoundsOfQuestionsTest {
    private static final Duration PAUSE = Duration.ofMillis(900);

    private final OneServer bench = OneServer.reconnecting();
    private final LeasingClients clients = new LeasingClients(bench);
    private Call call;
    private RecordingReply reply;

    @BeforeEach
    void callTool() {
        var caller = OneServer.client("alice")
                .withVersion(ProtocolVersion.V2026_07_28)
                .withCapabilities(CAPABILITIES)
                .withDeclared(CAPABILITIES);
        call = bench.call(Methods.TOOLS_CALL, "{\"name\":\"ask\"}", caller);
        reply = bench.through(bench.route.handler(), call);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private HeldTransport session() {
        return clients.sessions().get(0);
    }

    private String asked() {
        return reply.awaitAnswer().raw(MessageField.INPUT_REQUESTS).orElse("");
    }

    @Test
    void serverRequestsBeforeThePongFormOneRound() {
        ask(session(), "q1");
        bench.time.advance(PAUSE.dividedBy(3));
        ask(session(), "q2");
        bench.time.advance(PAUSE.dividedBy(3));
        ask(session(), "q3");
        bench.time.advance(PAUSE.dividedBy(3));
        assertThat(reply.isDone()).isFalse();
        clients.pong(session());

        assertThat(asked()).contains("input-1", "input-2", "input-3");
        assertThat(session().requests()).extracting(this::method).containsExactly(Methods.TOOLS_CALL, Methods.PING);
    }

    @Test
    void rejectedPingEndsTheRound() {
        ask(session(), "q1");
        session().receive(Response.error(((Request) session().last().message()).id(), -32601, "no ping"));
        clients.endRound();

        assertThat(asked()).contains("input-1");
        assertThat(session().isClosed()).isFalse();
    }

    @Test
    void roundEndsAfterOneSecondWithoutAPong() {
        ask(session(), "q1");
        bench.time.advance(PAUSE);
        assertThat(reply.isDone()).isFalse();
        bench.time.advance(Duration.ofSeconds(1).minus(PAUSE));
        clients.endRound();

        assertThat(asked()).contains("input-1");
        assertThat(session().abandoned()).extracting(this::method).containsExactly(Methods.PING);
        assertThat(session().isClosed()).isFalse();
    }

    @Test
    void pingIsCancelledWithItsCall() {
        ask(session(), "q1");
        call.cancellation().cancel(CancelReason.CLIENT_GONE);

        assertThat(reply.awaitFailure().message()).contains("withdrawn");
        assertThat(session().abandoned())
                .extracting(this::method)
                .containsExactlyInAnyOrder(Methods.TOOLS_CALL, Methods.PING);
    }

    @Test
    void pingIsNotCountedAsACall() {
        ask(session(), "q1");
        clients.pong(session());

        assertThat(bench.upstream().status().statistics().latency().calls()).isZero();
    }

    private String method(Outgoing sent) {
        return ((Request) sent.message()).method();
    }
}
