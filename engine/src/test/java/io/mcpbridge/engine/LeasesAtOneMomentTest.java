package io.mcpbridge.engine;

import static io.mcpbridge.engine.LeasingClients.answerAll;
import static io.mcpbridge.engine.LeasingClients.ask;
import static org.assertj.core.api.Assertions.assertThat;
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
class LeasesAtOneMomentTest {
    /** The common pool has one thread on a small machine, and a call that waits would hold it. */
    private static final java.util.concurrent.Executor OWN_THREAD = task -> new Thread(task).start();

    private static final Duration GRACE_PERIOD = Duration.ofSeconds(60);

    private final HeldWorkers workers = new HeldWorkers();
    private final OneServer bench = OneServer.with(Map.of("sessions", 2), workers);
    private final LeasingClients clients = new LeasingClients(bench);
    private final LeasingClient alice = clients.named("alice");
    private final LeasingClient rooted = clients.declaring("rooted", "{\"roots\":{}}");

    @AfterEach
    void close() {
        workers.release();
        bench.close();
    }

    private void callAndLeave(LeasingClient client) {
        client.call();
        answerAll(bench.connection());
        client.leave();
    }

    @Test
    void clientWithALeaseIsNotBlockedByAnEviction() throws Exception {
        alice.call();
        callAndLeave(rooted);
        workers.holdNext();
        var bob = CompletableFuture.runAsync(() -> clients.named("bob").call(), OWN_THREAD);
        workers.awaitHeld();

        CompletableFuture.runAsync(alice::call, OWN_THREAD).get(30, TimeUnit.SECONDS);
        assertThat(clients.sessions().get(0).requests()).hasSize(2);
        workers.release();
        bob.get(30, TimeUnit.SECONDS);

        assertThat(clients.sessions()).hasSize(3);
        await().atMost(30, TimeUnit.SECONDS)
                .untilAsserted(
                        () -> assertThat(clients.sessions().get(2).requests()).hasSize(1));
    }

    @Test
    void concurrentFirstCallsOfAClientShareOneSession() throws Exception {
        alice.call();
        callAndLeave(rooted);
        workers.holdNext();
        var bob = clients.named("bob");
        var first = CompletableFuture.runAsync(bob::call, OWN_THREAD);
        workers.awaitHeld();
        var second = new Thread(bob::call);
        second.start();
        // The connection that makes room is closed without a lock, so nothing keeps this thread.
        second.join(30_000);
        assertThat(second.isAlive()).isFalse();
        workers.release();
        first.get(30, TimeUnit.SECONDS);

        assertThat(bench.upstream().status().sessions()).isEqualTo(2);
        assertThat(clients.sessions()).hasSize(3);
        await().atMost(30, TimeUnit.SECONDS)
                .untilAsserted(
                        () -> assertThat(clients.sessions().get(2).requests()).hasSize(2));
    }

    @Test
    void newLeaseIsNotEvictedBeforeItsFirstCallIsSent() {
        alice.call();
        var bob = clients.named("bob");
        bob.onFirstCall(rooted::call);

        bob.call();
        ask(clients.sessions().get(1), "for-bob");

        assertThat(clients.sessions()).hasSize(2);
        assertThat(clients.sessions().get(0).requests()).hasSize(2);
        assertThat(bob.asked).hasSize(1);
    }

    @Test
    void leaseOfAnIncomingCallIsNotEvicted() {
        try (var server = OneServer.with(Map.of("sessions", 2))) {
            var others = new LeasingClients(server);
            others.named("alice").call();

            var bob = others.named("bob").callWith(others.declaring("rooted", "{\"roots\":{}}")::call);

            assertThat(bob.isDone()).isFalse();
            assertThat(others.sessions())
                    .hasSize(2)
                    .last()
                    .satisfies(session -> assertThat(session.requests()).hasSize(1));
            assertThat(others.sessions().get(0).requests()).hasSize(2);
        }
    }

    @Test
    void leaseOfAFailedCallCanBeEvicted() {
        try (var server = OneServer.with(Map.of("sessions", 2))) {
            var others = new LeasingClients(server);
            others.named("alice").call();
            var bob = others.named("bob").callWith(() -> {
                throw new IllegalStateException("a defect");
            });
            assertThat(bob.awaitFailure().message()).contains("a defect");

            others.declaring("rooted", "{\"roots\":{}}").call();

            assertThat(others.sessions()).hasSize(2);
        }
    }

    @Test
    void lastOfTwoSessionsEvictedTogetherStaysOpen() throws Exception {
        callAndLeave(rooted);
        callAndLeave(alice);
        workers.holdNext();
        var first = CompletableFuture.runAsync(() -> bench.time.advance(GRACE_PERIOD));
        workers.awaitHeld();
        var second = new Thread(() -> bench.time.advance(Duration.ZERO));
        second.start();
        // The connection that makes room is closed without a lock, so nothing keeps this thread.
        second.join(30_000);
        assertThat(second.isAlive()).isFalse();
        workers.release();
        first.get(30, TimeUnit.SECONDS);
        assertThat(clients.sessions().get(0).isClosed()).isTrue();
        assertThat(clients.sessions().get(1).isClosed()).isFalse();

        clients.declaring("sampling", "{\"sampling\":{}}").call();
        bench.time.advance(GRACE_PERIOD);

        assertThat(clients.sessions().get(1).isClosed()).isTrue();
        assertThat(clients.sessions().get(2).isClosed()).isFalse();
        assertThat(bench.time.pendingAlarms()).isZero();
    }
}
