package io.mcpbridge.engine;

import static io.mcpbridge.engine.LeasingClients.answerAll;
import static io.mcpbridge.engine.LeasingClients.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.Methods;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client that was lost and goes by an id has its session again. */
class ClientsThatComeBackTest {
    private final OneServer bench = OneServer.reconnecting();
    private final LeasingClients clients = new LeasingClients(bench);
    private final LeasingClient alice = clients.named("alice");
    private final LeasingClient carol = clients.known("carol", "desk");

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void returningClientGetsItsSessionBack() {
        alice.call();
        carol.call();
        answerAll(clients.sessions().get(1));
        carol.leave();
        clients.named("dave").call();
        bench.time.advance(Duration.ofSeconds(59));
        clients.known("carol-again", "desk").call();

        assertThat(clients.sessions()).hasSize(3);
        assertThat(clients.sessions().get(1).requests()).hasSize(2);
    }

    @Test
    void returningClientGetsANewSessionAfterTheGracePeriod() {
        alice.call();
        carol.call();
        answerAll(clients.sessions().get(1));
        carol.leave();
        bench.time.advance(Duration.ofSeconds(60));
        clients.known("carol-again", "desk").call();

        assertThat(clients.sessions()).hasSize(3);
        assertThat(clients.sessions().get(1).isClosed()).isTrue();
    }

    @Test
    void returningClientGetsServerRequestsDespiteEarlierCancelledCalls() {
        var call = bench.call(Methods.TOOLS_CALL, "{\"name\":\"ask\"}", carol.caller);
        bench.send(call);
        clients.sessions().get(0).write(clients.sessions().get(0).last());
        call.cancellation().cancel(CancelReason.CLIENT_GONE);
        carol.leave();
        var again = clients.known("carol-again", "desk");
        again.call();
        ask(clients.sessions().get(0), "q");

        assertThat(again.asked).hasSize(1);
    }

    @Test
    void otherUserWithTheSameClientIdDoesNotGetTheSession() {
        alice.call();
        carol.call();
        answerAll(clients.sessions().get(1));
        carol.leave();
        var other = clients.of("mallory", "desk", new Principal("mallory", "token"));
        other.call();

        assertThat(clients.sessions()).hasSize(3);
    }
}
