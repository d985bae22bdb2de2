package io.mcpbridge.engine;

import static io.mcpbridge.engine.LeasingClients.answerAll;
import static io.mcpbridge.engine.LeasingClients.said;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client has its subscriptions where it has its calls. */
class LeasesOfSubscribersTest {
    private final OneServer bench = OneServer.reconnecting();
    private final LeasingClients clients = new LeasingClients(bench);
    private final LeasingClient alice = clients.named("alice");
    private final LeasingClient bob = clients.named("bob");
    private final RecordingAudience ears = new RecordingAudience();

    @AfterEach
    void close() {
        bench.close();
    }

    private RecordingReply subscribe(LeasingClient client) {
        return subscribe(bench, client);
    }

    private RecordingReply subscribe(OneServer server, LeasingClient client) {
        var call = server.call(Methods.RESOURCES_SUBSCRIBE, "{\"uri\":\"file:///a\"}", client.caller);
        var reply = new RecordingReply();
        server.upstream().subscribe(OneServer.context(call, reply), "file:///a", ears);
        return reply;
    }

    @Test
    void subscriptionUsesTheSessionOfLaterCalls() {
        bench.server.declare("{\"resources\":{\"subscribe\":true}}");
        alice.call();
        var reply = subscribe(bob);
        answerAll(clients.sessions().get(1));
        bob.call();

        assertThat(reply.awaitAnswer().isError()).isFalse();
        assertThat(clients.sessions()).hasSize(2);
        assertThat(said(clients.sessions().get(1))).contains(Methods.RESOURCES_SUBSCRIBE, Methods.TOOLS_CALL);

        clients.sessions().get(1).receive(Notification.of(Methods.RESOURCES_UPDATED, "{\"uri\":\"file:///a\"}"));
        bench.upstream().subscriptions().remove("file:///a", ears);

        assertThat(ears.heard()).hasSize(1);
        assertThat(said(clients.sessions().get(1))).contains(Methods.RESOURCES_UNSUBSCRIBE);
    }

    @Test
    void subscriptionBeforeTheConnectionUsesTheSessionOfLaterCalls() {
        bench.server.declare("{\"resources\":{\"subscribe\":true}}");
        subscribe(alice);
        bob.call();
        alice.call();

        assertThat(clients.sessions()).hasSize(2);
        assertThat(said(clients.sessions().get(0))).contains(Methods.RESOURCES_SUBSCRIBE, Methods.TOOLS_CALL);
    }

    @Test
    void subscriptionIsRestoredInItsOwnSessionAfterARestart() {
        bench.server.declare("{\"resources\":{\"subscribe\":true}}");
        alice.call();
        subscribe(bob);
        answerAll(clients.sessions().get(1));
        clients.sessions().get(1).end(Closed.disconnected("restarted"));
        bench.time.advance(Duration.ofSeconds(30));

        assertThat(clients.sessions()).hasSize(3);
        assertThat(said(clients.sessions().get(2))).contains(Methods.RESOURCES_SUBSCRIBE);
    }

    @Test
    void subscriptionEndsInItsSessionThoughAnotherClientHasTheLease() {
        bench.server.declare("{\"resources\":{\"subscribe\":true}}");
        alice.call();
        subscribe(bob);
        answerAll(clients.sessions().get(1));
        bob.leave();
        clients.named("carol").call();
        assertThat(clients.sessions()).hasSize(2);

        bench.upstream().subscriptions().remove("file:///a", ears);

        assertThat(said(clients.sessions().get(1))).contains(Methods.RESOURCES_UNSUBSCRIBE);
        assertThat(said(clients.sessions().get(0))).doesNotContain(Methods.RESOURCES_UNSUBSCRIBE);
    }

    @Test
    void subscriptionOfAJoinedClientMovesToItsOwnSession() {
        try (var small = OneServer.with(Map.of("sessions", 2))) {
            small.server.declare("{\"resources\":{\"subscribe\":true}}");
            var rooted = clients.declaring("rooted", "{\"roots\":{}}");
            var sampling = clients.declaring("sampling", "{\"sampling\":{}}");
            small.send(small.call(Methods.TOOLS_CALL, "{}", rooted.caller));
            small.send(small.call(Methods.TOOLS_CALL, "{}", sampling.caller));
            subscribe(small, alice);
            var sessions = small.server.connections();
            sessions.forEach(LeasingClients::answerAll);
            change(sessions.get(0));
            assertThat(ears.heard()).hasSize(1);

            sampling.leave();
            small.send(small.call(Methods.TOOLS_CALL, "{}", alice.caller));
            var own = small.connection();
            change(sessions.get(0));
            answerAll(own);
            change(own);

            assertThat(said(own)).contains(Methods.RESOURCES_SUBSCRIBE);
            assertThat(said(sessions.get(0))).contains(Methods.RESOURCES_UNSUBSCRIBE);
            assertThat(ears.heard()).hasSize(3);
            assertThat(small.upstream().subscriptions().count(ears)).isEqualTo(1);
        }
    }

    @Test
    void subscriptionThatTheOwnSessionRejectsStaysWhereItIs() {
        try (var small = OneServer.with(Map.of("sessions", 1))) {
            small.server.declare("{\"resources\":{\"subscribe\":true}}");
            small.send(small.call(Methods.TOOLS_CALL, "{}", clients.declaring("mute", "{}").caller));
            subscribe(small, alice);
            answerAll(small.connection());
            small.time.advance(Duration.ofMinutes(11));
            small.send(small.call(Methods.TOOLS_CALL, "{}", alice.caller));
            var asked = small.connection().requests().stream()
                    .filter(out -> out.message().json().contains(Methods.RESOURCES_SUBSCRIBE))
                    .findFirst()
                    .orElseThrow();
            small.connection().receive(Response.error(((Request) asked.message()).id(), -32603, "not here"));

            assertThat(small.upstream().subscriptions().count(ears)).isEqualTo(1);
        }
    }

    private static void change(HeldTransport session) {
        session.receive(Notification.of(Methods.RESOURCES_UPDATED, "{\"uri\":\"file:///a\"}"));
    }

    @Test
    void subscriptionOfAJoinedClientStaysWithoutAnotherSession() {
        try (var small = OneServer.with(Map.of("sessions", 1))) {
            small.send(small.call(Methods.TOOLS_CALL, "{}", alice.caller));
            var guest = small.call(Methods.RESOURCES_SUBSCRIBE, "{\"uri\":\"file:///a\"}", bob.caller);
            small.upstream().subscribe(OneServer.context(guest, new RecordingReply()), "file:///a", ears);
            answerAll(small.connection());
            alice.leave();
            small.send(small.call(Methods.TOOLS_CALL, "{}", bob.caller));

            assertThat(small.server.connections()).hasSize(1);
        }
    }
}
