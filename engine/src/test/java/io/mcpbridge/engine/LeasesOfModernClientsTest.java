package io.mcpbridge.engine;

import static io.mcpbridge.engine.LeasingClients.CAPABILITIES;
import static io.mcpbridge.engine.LeasingClients.answerAll;
import static io.mcpbridge.engine.LeasingClients.ask;
import static io.mcpbridge.engine.LeasingClients.said;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A legacy server has separate sessions for modern clients, which are identified by their calls. */
class LeasesOfModernClientsTest {
    private final OneServer bench = OneServer.reconnecting();
    private final LeasingClients clients = new LeasingClients(bench);

    @AfterEach
    void close() {
        bench.close();
    }

    private Caller modern(String name, String capabilities) {
        return Caller.ANONYMOUS
                .withSession(name)
                .withVersion(ProtocolVersion.V2026_07_28)
                .withCapabilities(capabilities)
                .withDeclared(capabilities);
    }

    private RecordingReply call(String method, Caller caller) {
        return bench.through(bench.route.handler(), bench.call(method, "{\"name\":\"ask\"}", caller));
    }

    @Test
    void modernClientsHaveSeparateSessions() {
        var one = call(Methods.TOOLS_CALL, modern("request-1", CAPABILITIES));
        var other = call(Methods.TOOLS_CALL, modern("request-2", CAPABILITIES));

        ask(clients.sessions().get(1), "q");
        clients.pong(clients.sessions().get(1));

        assertThat(other.awaitAnswer().json()).contains("input_required");
        assertThat(one.isDone()).isFalse();
    }

    @Test
    void eachModernClientKeepsItsSession() {
        call(Methods.TOOLS_CALL, modern("client-1", CAPABILITIES));
        call(Methods.TOOLS_CALL, modern("client-2", CAPABILITIES));
        call(Methods.TOOLS_CALL, modern("client-1", CAPABILITIES));

        assertThat(clients.sessions()).hasSize(2);
        assertThat(clients.sessions().get(0).requests()).hasSize(2);
    }

    @Test
    void clientsWithoutCapabilitiesShareOneSession() {
        call(Methods.TOOLS_CALL, modern("request-1", "{}"));
        call(Methods.TOOLS_CALL, modern("request-2", "{}"));

        assertThat(clients.sessions()).hasSize(1);
    }

    @Test
    void sessionIsReusedWhenItsCallsHaveEnded() {
        call(Methods.TOOLS_CALL, modern("request-1", CAPABILITIES));
        answerAll(clients.sessions().get(0));
        call(Methods.TOOLS_CALL, modern("request-2", CAPABILITIES));

        assertThat(clients.sessions()).hasSize(1);
    }

    @Test
    void serverRequestReachesTheRightCallThoughAnotherWasMatchedFirst() {
        var asking = call(Methods.TOOLS_CALL, modern("client-1", CAPABILITIES));
        var quick = call(Methods.TOOLS_CALL, modern("client-1", CAPABILITIES));

        var session = clients.sessions().get(0);
        var taken = session.last();

        ask(session, "q");
        session.answer(taken, "{\"content\":[]}");
        clients.pong(session);

        assertThat(quick.awaitAnswer().json()).doesNotContain("input_required");
        assertThat(asking.awaitAnswer().json()).contains("input_required");
    }

    @Test
    void suspendedCallOfAClientThatNeverReturnsExpires() {
        var asking = call(Methods.TOOLS_CALL, modern("client-1", CAPABILITIES));
        ask(clients.sessions().get(0), "q");
        clients.pong(clients.sessions().get(0));
        bench.time.advance(Duration.ofMinutes(11));

        assertThat(asking.awaitAnswer().json()).contains("input_required");
        assertThat(clients.sessions().get(0).abandoned()).hasSize(1);
        assertThat(said(clients.sessions().get(0))).contains("\"id\":\"q\"", "timed out");
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void serverRequestGoesToTheToolCallAndNotToTheCompletion() {
        var tool = call(Methods.TOOLS_CALL, modern("client-1", CAPABILITIES));
        call(Methods.COMPLETION_COMPLETE, modern("client-1", CAPABILITIES));

        ask(clients.sessions().get(0), "q");
        clients.pong(clients.sessions().get(0));

        assertThat(clients.sessions()).hasSize(1);
        assertThat(tool.awaitAnswer().json()).contains("input_required");
    }
}
