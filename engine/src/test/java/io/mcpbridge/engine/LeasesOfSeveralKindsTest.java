package io.mcpbridge.engine;

import static io.mcpbridge.engine.LeasingClients.answerAll;
import static io.mcpbridge.engine.LeasingClients.askRoots;
import static io.mcpbridge.engine.LeasingClients.said;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Methods;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients with different capabilities, which a legacy server cannot see in one session. */
class LeasesOfSeveralKindsTest {
    private final OneServer bench = OneServer.reconnecting();
    private final LeasingClients clients = new LeasingClients(bench);
    private final LeasingClient alice = clients.named("alice");
    private final LeasingClient rooted = clients.declaring("rooted", "{\"roots\":{}}");

    @AfterEach
    void close() {
        bench.close();
    }

    private void callAndLeave(OneServer server, LeasingClient client) {
        server.send(server.call(Methods.TOOLS_CALL, "{\"name\":\"ask\"}", client.caller));
        server.server.connections().forEach(LeasingClients::answerAll);
        client.leave();
    }

    @Test
    void idleSessionIsEvictedForOtherCapabilitiesAtOnce() {
        try (var small = OneServer.with(Map.of("sessions", 1))) {
            callAndLeave(small, rooted);
            var reply = small.send(small.call(Methods.TOOLS_CALL, "{}", clients.declaring("mute", "{}").caller));

            assertThat(small.server.connections()).hasSize(2);
            assertThat(small.server.connections().get(0).isClosed()).isTrue();
            answerAll(small.connection());
            assertThat(reply.awaitAnswer().isError()).isFalse();
        }
    }

    @Test
    void quietSessionWithoutCapabilitiesIsEvictedAfterTheGracePeriod() {
        try (var small = OneServer.with(Map.of("sessions", 1))) {
            callAndLeave(small, clients.declaring("mute", "{}"));
            small.time.advance(Duration.ofSeconds(60));
            small.send(small.call(Methods.TOOLS_CALL, "{}", alice.caller));

            assertThat(small.server.connections()).hasSize(2);
            assertThat(small.server.connections().get(0).isClosed()).isTrue();
        }
    }

    @Test
    void activeSessionWithoutCapabilitiesIsSharedInstead() {
        try (var small = OneServer.with(Map.of("sessions", 1))) {
            callAndLeave(small, clients.declaring("mute", "{}"));
            small.time.advance(Duration.ofSeconds(59));
            small.send(small.call(Methods.TOOLS_CALL, "{}", alice.caller));

            assertThat(small.server.connections()).hasSize(1);
        }
    }

    @Test
    void clientJoinsASharedSessionIfAllAreInUse() {
        try (var small = OneServer.with(Map.of("sessions", 1))) {
            small.send(small.call(Methods.TOOLS_CALL, "{}", rooted.caller));
            var reply = small.send(small.call(Methods.TOOLS_CALL, "{}", alice.caller));
            answerAll(small.connection());
            askRoots(small.connection(), "r");

            assertThat(small.server.connections()).hasSize(1);
            assertThat(reply.awaitAnswer().isError()).isFalse();
            assertThat(rooted.asked).isEmpty();
            assertThat(said(small.connection())).contains("clients of several kinds share this session");
        }
    }

    @Test
    void unusedSessionIsEvictedAfterTheGracePeriodUnlessItIsTheLast() {
        callAndLeave(bench, rooted);
        bench.time.advance(Duration.ofMinutes(2));
        assertThat(clients.sessions().get(0).isClosed()).isFalse();
        alice.call();
        bench.time.advance(Duration.ofSeconds(60));

        assertThat(clients.sessions().get(0).isClosed()).isTrue();
        assertThat(clients.sessions().get(1).isClosed()).isFalse();
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void sessionIsExclusiveAgainAfterTheJoinedClientsLeft() {
        try (var small = OneServer.with(Map.of("sessions", 1))) {
            small.send(small.call(Methods.TOOLS_CALL, "{}", rooted.caller));
            small.send(small.call(Methods.TOOLS_CALL, "{}", alice.caller));
            answerAll(small.connection());
            alice.leave();
            small.time.advance(Duration.ofMinutes(30));

            askRoots(small.connection(), "r");

            assertThat(rooted.asked).hasSize(1);
        }
    }
}
