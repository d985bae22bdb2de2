package io.mcpbridge.engine;

import static io.mcpbridge.engine.SeatedClients.answerAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens in one moment to two clients or two sessions of a legacy server. */
@Timeout(60)
class SeatsAtOneMomentTest {
    private static final Duration SEATED_FOR = Duration.ofSeconds(60);

    private final HeldWorkers workers = new HeldWorkers();
    private final OneServer bench = OneServer.with(Map.of("sessions", 2), workers);
    private final SeatedClients clients = new SeatedClients(bench);
    private final SeatedClient alice = clients.named("alice");
    private final SeatedClient rooted = clients.declaring("rooted", "{\"roots\":{}}");

    @AfterEach
    void close() {
        workers.release();
        bench.close();
    }

    private void callAndLeave(SeatedClient client) {
        client.call();
        answerAll(bench.connection());
        client.leave();
    }

    @Test
    void whoHasOneIsNotHeldUpWhileRoomIsMadeForAnother() throws Exception {
        alice.call();
        callAndLeave(rooted);
        workers.holdNext();
        var bob = CompletableFuture.runAsync(() -> clients.named("bob").call());
        workers.awaitHeld();

        CompletableFuture.runAsync(alice::call).get(30, TimeUnit.SECONDS);
        assertThat(clients.sessions().get(0).requests()).hasSize(2);
        workers.release();
        bob.get(30, TimeUnit.SECONDS);

        assertThat(clients.sessions()).hasSize(3);
        await().atMost(30, TimeUnit.SECONDS)
                .untilAsserted(
                        () -> assertThat(clients.sessions().get(2).requests()).hasSize(1));
    }

    @Test
    void twoCallsOfANewClientMeetInOneSession() throws Exception {
        alice.call();
        callAndLeave(rooted);
        workers.holdNext();
        var bob = clients.named("bob");
        var first = CompletableFuture.runAsync(bob::call);
        workers.awaitHeld();
        var second = new Thread(bob::call);
        second.start();
        await().atMost(30, TimeUnit.SECONDS).until(() -> second.getState() == Thread.State.WAITING);
        workers.release();
        first.get(30, TimeUnit.SECONDS);
        second.join(30_000);

        assertThat(bench.upstream().status().sessions()).isEqualTo(2);
        assertThat(clients.sessions()).hasSize(3);
        await().atMost(30, TimeUnit.SECONDS)
                .untilAsserted(
                        () -> assertThat(clients.sessions().get(2).requests()).hasSize(2));
    }

    @Test
    void placeThatACallHasFoundMakesNoRoomBeforeTheCallIsKeptThere() {
        var meanwhile = new Interruption();
        try (var strict = OneServer.strict(Map.of("sessions", 2))) {
            strict.upstream().knowToolsFrom(meanwhile);
            var others = new SeatedClients(strict);
            others.named("alice").call();
            meanwhile.atNextCall(others.declaring("rooted", "{\"roots\":{}}")::call);

            var bob = others.named("bob").call();

            assertThat(bob.isDone()).isFalse();
            assertThat(others.sessions())
                    .hasSize(2)
                    .last()
                    .satisfies(session -> assertThat(session.requests()).hasSize(1));
            assertThat(others.sessions().get(0).requests()).hasSize(2);
        }
    }

    @Test
    void placeOfACallThatCameToNothingMakesRoom() {
        var meanwhile = new Interruption();
        try (var strict = OneServer.strict(Map.of("sessions", 2))) {
            strict.upstream().knowToolsFrom(meanwhile);
            var others = new SeatedClients(strict);
            others.named("alice").call();
            meanwhile.atNextCall(() -> {
                throw new IllegalStateException("a defect");
            });
            assertThatThrownBy(others.named("bob")::call).hasMessage("a defect");

            others.declaring("rooted", "{\"roots\":{}}").call();

            assertThat(others.sessions()).hasSize(2);
        }
    }

    @Test
    void theLastOfTwoThatAreTidiedUpStaysAndIsWatched() throws Exception {
        callAndLeave(rooted);
        callAndLeave(alice);
        workers.holdNext();
        var first = CompletableFuture.runAsync(() -> bench.time.advance(SEATED_FOR));
        workers.awaitHeld();
        var second = new Thread(() -> bench.time.advance(Duration.ZERO));
        second.start();
        await().atMost(30, TimeUnit.SECONDS).until(() -> second.getState() == Thread.State.WAITING);
        workers.release();
        first.get(30, TimeUnit.SECONDS);
        second.join(30_000);
        assertThat(clients.sessions().get(0).isClosed()).isTrue();
        assertThat(clients.sessions().get(1).isClosed()).isFalse();

        clients.declaring("sampling", "{\"sampling\":{}}").call();
        bench.time.advance(SEATED_FOR);

        assertThat(clients.sessions().get(1).isClosed()).isTrue();
        assertThat(clients.sessions().get(2).isClosed()).isFalse();
        assertThat(bench.time.pendingAlarms()).isZero();
    }
}
