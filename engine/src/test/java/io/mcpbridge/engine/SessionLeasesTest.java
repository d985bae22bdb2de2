package io.mcpbridge.engine;

import static io.mcpbridge.engine.LeasingClients.answerAll;
import static io.mcpbridge.engine.LeasingClients.ask;
import static io.mcpbridge.engine.LeasingClients.said;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Response;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that a legacy server can ask something have a session of it each, where all of a session share one stream. */
class SessionLeasesTest {
    private final OneServer bench = OneServer.reconnecting();
    private final LeasingClients clients = new LeasingClients(bench);
    private final LeasingClient alice = clients.named("alice");
    private final LeasingClient bob = clients.named("bob");

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void serverRequestsReachTheOwnerOfTheSession() {
        alice.call();
        bob.call();

        ask(clients.sessions().get(1), "for-bob");
        ask(clients.sessions().get(0), "for-alice");
        bob.answers.get(0).complete(Outcome.answered(Response.result(MessageId.of(1), "{\"action\":\"accept\"}")));

        assertThat(alice.asked).hasSize(1);
        assertThat(bob.asked).hasSize(1);
        assertThat(said(clients.sessions().get(1))).contains("\"id\":\"for-bob\"", "accept");
        assertThat(said(clients.sessions().get(0))).doesNotContain("for-alice");
    }

    @Test
    void clientsWithoutCapabilitiesShareASession() {
        clients.declaring("carol", "{}").call();
        clients.declaring("dave", "{}").call();
        clients.declaring("eve", "{}").call();

        assertThat(clients.sessions()).hasSize(1);
    }

    @Test
    void clientHasOneSessionForAllItsCalls() {
        alice.call();
        alice.call();
        answerAll(clients.sessions().get(0));
        alice.call();

        assertThat(clients.sessions()).hasSize(1);
    }

    @Test
    void clientKeepsItsSessionBetweenCalls() {
        alice.call();
        answerAll(clients.sessions().get(0));
        bob.call();
        alice.call();

        assertThat(clients.sessions()).hasSize(2);
        assertThat(clients.sessions().get(0).requests()).hasSize(2);
        assertThat(clients.sessions().get(1).requests()).hasSize(1);
    }

    @Test
    void sessionOfADisconnectedClientIsReused() {
        alice.call();
        answerAll(clients.sessions().get(0));
        alice.leave();
        bob.call();

        assertThat(clients.sessions()).hasSize(1);
    }

    @Test
    void sessionOfACancelledCallIsNotReusedYet() {
        var call = bench.call(Methods.TOOLS_CALL, "{\"name\":\"ask\"}", alice.caller);
        bench.send(call);
        clients.sessions().get(0).write(clients.sessions().get(0).last());
        call.cancellation().cancel(CancelReason.CLIENT_GONE);
        alice.leave();
        bob.call();

        ask(clients.sessions().get(0), "of-alice");
        ask(clients.sessions().get(1), "of-bob");

        assertThat(alice.asked).isEmpty();
        assertThat(bob.asked)
                .singleElement()
                .satisfies(asked -> assertThat(asked.request().id()).isEqualTo(MessageId.of("of-bob")));
    }

    @Test
    void extraSessionEndsOneMinuteAfterItsClientDisconnected() {
        alice.call();
        bob.call();
        answerAll(clients.sessions().get(1));
        bob.leave();
        bench.time.advance(Duration.ofSeconds(59));
        assertThat(clients.sessions().get(1).isClosed()).isFalse();
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(clients.sessions().get(1).isClosed()).isTrue();
        assertThat(clients.sessions().get(0).isClosed()).isFalse();
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void listsUseTheSessionOfTheirClient() {
        bench.route.tools().list(alice.caller, new Lists());
        alice.call();
        bench.route.tools().list(bob.caller, new Lists());

        assertThat(clients.sessions()).hasSize(1);
    }

    @Test
    void clientOverTheLimitSharesASessionAndGetsRequestsOnlyWhenAlone() {
        for (int number = 0; number < 16; number++) {
            clients.named("client-" + number).call();
        }
        var late = clients.named("late");
        var reply = late.call();

        ask(clients.sessions().get(0), "whose");
        answerAll(clients.sessions().get(0));
        late.call();
        ask(clients.sessions().get(0), "mine");

        assertThat(reply.awaitAnswer().isError()).isFalse();
        assertThat(clients.sessions()).hasSize(16);
        assertThat(said(clients.sessions().get(0))).contains("\"id\":\"whose\"", "2 clients have calls under way here");
        assertThat(late.asked).hasSize(1);
    }

    @Test
    void sessionsPerServerAreConfigurable() {
        try (var small = OneServer.with(Map.of("sessions", 2))) {
            for (var name : List.of("one", "two", "three")) {
                small.send(small.call(Methods.TOOLS_CALL, "{\"name\":\"ask\"}", clients.named(name).caller));
            }

            assertThat(small.server.connections()).hasSize(2);
            assertThat(small.upstream().status().sessions()).isEqualTo(2);
        }
    }

    @Test
    void secondSessionOpensOnlyOnceTheEraIsKnown() {
        bench.server.holdHandshakes();
        alice.call();
        bob.call();
        assertThat(clients.sessions()).hasSize(1);
        bench.server.legacy();
        Handshakes.accept(clients.sessions().get(0));

        assertThat(clients.sessions()).hasSize(2);
        assertThat(clients.sessions().get(0).requests()).hasSize(1);
        assertThat(clients.sessions().get(1).requests()).hasSize(1);
    }

    @Test
    void modernServerHasOneSessionForAllClients() {
        bench.server.modern();
        alice.call();
        bob.call();

        assertThat(clients.sessions()).hasSize(1);
    }

    @Test
    void serverWithAStreamPerRequestHasOneSessionForAllClients() {
        bench.server.streamPerRequest();
        alice.call();
        bob.call();

        assertThat(clients.sessions()).hasSize(1);
    }
}
