package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.Closed;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The processes that are there for calls: how many, which are ready, and who waits. */
class IsolatedPoolTest {
    private final IsolatedServer bench = new IsolatedServer();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void poolIsFilledWhenTheServerConnects() {
        bench.use(IsolatedServer.isolated(Map.of()));

        bench.list();

        assertThat(bench.sessions()).isEqualTo(3);
        assertThat(bench.reading("isolation.warm")).isEqualTo("2 processes ready for a call");
        assertThat(bench.reading("isolation.started")).isEqualTo("2 so far");
    }

    @Test
    void callTakesAWarmProcessAndAnotherIsStarted() {
        bench.use(IsolatedServer.isolated(Map.of()));
        bench.list();

        bench.send();

        assertThat(bench.session(1).requests()).hasSize(1);
        assertThat(bench.sessions()).isEqualTo(3);
        bench.one().time.advance(Duration.ofMillis(10));
        assertThat(bench.sessions()).isEqualTo(4);
        assertThat(bench.reading("isolation.busy")).isEqualTo("1 of at most 16");
    }

    @Test
    void closeEndsAllWarmProcessesThoughATransportThrows() {
        bench.use(IsolatedServer.isolated(Map.of()));
        bench.list();
        bench.session(1).whileHangingUp(() -> {
            throw new IllegalStateException("a plug-in's defect");
        });

        bench.one().upstream().close();

        assertThat(bench.one().server.connections())
                .hasSize(3)
                .allMatch(HeldTransport::isHungUp)
                .allMatch(HeldTransport::isClosed);
        assertThat(bench.one().log.lines()).anyMatch(line -> line.contains("failed as it was asked to end"));
    }

    @Test
    void callsBeyondThePoolLimitWait() {
        var first = bench.send();
        bench.send();
        var third = bench.send();
        assertThat(bench.sessions()).isEqualTo(2);
        assertThat(bench.reading("isolation.waiting")).isEqualTo("1 calls wait for a process");

        bench.session(0).answer(bench.session(0).last(), IsolatedServer.DONE);

        assertThat(first.isDone()).isTrue();
        bench.session(2).answer(bench.session(2).last(), IsolatedServer.DONE);
        assertThat(third.awaitAnswer().isError()).isFalse();
    }

    @Test
    void cancelledWaitingCallIsRemoved() {
        bench.send();
        bench.send();
        var late = bench.toolCall();
        var reply = bench.send(late);

        late.cancellation().cancel(CancelReason.TIMED_OUT);

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(reply.awaitFailure().message()).contains("limit 'pool.max'");
        bench.session(0).answer(bench.session(0).last(), IsolatedServer.DONE);
        assertThat(bench.sessions()).isEqualTo(2);
    }

    @Test
    void timedOutCallReportsThatNoProcessBecameReady() {
        bench.one().server.answerNothing();
        bench.send();
        bench.send();
        var late = bench.toolCall();
        var reply = bench.send(late);

        late.cancellation().cancel(CancelReason.TIMED_OUT);

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_INIT_FAILED);
        assertThat(reply.awaitFailure().message())
                .contains("no process of server 'tools' became ready for the call within")
                .endsWith("2 are still being started");
    }

    @Test
    void timedOutCallReportsTheCauseOfTheLastFailedStart() {
        bench.one().server.answerNothing();
        bench.send();
        endAll();
        // Once more, as a server may end at the question of the other era.
        endAll();
        bench.one().time.advance(Duration.ofSeconds(1));
        var late = bench.toolCall();
        var reply = bench.send(late);

        late.cancellation().cancel(CancelReason.TIMED_OUT);

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_INIT_FAILED);
        assertThat(reply.awaitFailure().message()).contains("exit code 3").contains("no key");
    }

    private void endAll() {
        bench.one().server.connections().forEach(each -> each.end(Closed.exited(3, "no key")));
    }

    @Test
    void idlePoolIsNotRefilled() {
        bench.use(IsolatedServer.isolated(Map.of("pool", Map.of("idle", "5m"))));
        bench.list();

        bench.one().time.advance(Duration.ofMinutes(5));

        assertThat(bench.session(1).isClosed()).isTrue();
        assertThat(bench.session(2).isClosed()).isTrue();
        assertThat(bench.session(0).isClosed()).isFalse();
        assertThat(bench.sessions()).isEqualTo(3);
    }

    @Test
    void warmProcessThatEndsIsReplaced() {
        bench.use(IsolatedServer.isolated(Map.of("pool", Map.of("warm", 1))));
        bench.list();
        bench.one().time.advance(Duration.ofSeconds(10));

        bench.session(1).end(Closed.exited(3, "tired"));

        assertThat(bench.sessions()).isEqualTo(3);
        assertThat(bench.reading("isolation.started")).contains("exit code 3").contains("tired");
    }

    @Test
    void restartsOfProcessesThatEndAtOnceBackOff() {
        bench.use(IsolatedServer.isolated(Map.of("pool", Map.of("warm", 1))));
        bench.list();

        for (int i = 0; i < 100; i++) {
            bench.one().server.connections().stream()
                    .skip(1)
                    .filter(each -> !each.isClosed())
                    .forEach(each -> each.end(Closed.exited(3, "")));
            bench.one().time.advance(Duration.ofMillis(100));
        }

        // Ten seconds of which each start ends at once: the pauses double.
        assertThat(bench.sessions()).isBetween(3, 7);
    }

    @Test
    void callsAreRejectedWhileNoProcessCanStart() {
        var why = TransportException.of(Failure.of(ErrorCode.PROVIDER_INIT_FAILED, "no such program"));
        bench.one().server.unreachable(why);
        var made = bench.one().server.made().size();

        assertThat(bench.send().awaitFailure().message()).isEqualTo("no such program");
        var refused = bench.send().awaitFailure();

        assertThat(refused.code()).isEqualTo(ErrorCode.PROVIDER_INIT_FAILED);
        assertThat(refused.message()).contains("no such program");
        assertThat(bench.one().server.made()).hasSize(made + 1);
        assertThat(bench.one().upstream().status().remarks()).anyMatch(each -> each.endsWith("no such program"));
        bench.one().server.reachable();
        bench.one().time.advance(Duration.ofSeconds(1));
        assertThat(bench.send().isDone()).isFalse();
    }

    @Test
    void processesAreNotSharedAmongUsersOfAnUnsharedServer() {
        bench.use(IsolatedServer.isolated(Map.of("shared", false, "pool", Map.of("warm", 1))));

        bench.send(bench.one().call(Methods.TOOLS_CALL, "{\"name\":\"echo\"}", user("alice")));
        var spare = bench.one().server.connection();
        bench.send(bench.one().call(Methods.TOOLS_CALL, "{\"name\":\"echo\"}", user("bob")));

        assertThat(spare.requests()).isEmpty();
        bench.send(bench.one().call(Methods.TOOLS_CALL, "{\"name\":\"echo\"}", user("alice")));
        assertThat(spare.requests()).hasSize(1);
    }

    @Test
    void processesAreReservedForCallsWithTheSameLimits() {
        bench.use(IsolatedServer.isolated(
                Map.of("tools", Map.of("large", Map.of("maxMemoryMb", 512)), "pool", Map.of("warm", 1))));
        bench.list();
        var small = bench.session(1);

        bench.send(bench.call("{\"name\":\"large\"}"));

        assertThat(small.requests()).isEmpty();
        bench.send();
        assertThat(small.requests()).hasSize(1);
    }

    @Test
    void callWithoutRoomEvictsAWarmProcessOfOtherLimits() {
        bench.use(IsolatedServer.isolated(
                Map.of("tools", Map.of("large", Map.of("maxMemoryMb", 512)), "pool", Map.of("max", 2))));
        bench.list();
        assertThat(bench.sessions()).isEqualTo(3);

        bench.send(bench.call("{\"name\":\"large\"}"));

        assertThat(bench.session(1).isClosed()).isTrue();
        assertThat(bench.session(3).requests()).hasSize(1);
    }

    @Test
    void closeEndsAllProcessesAndCalls() {
        bench.use(IsolatedServer.isolated(Map.of("pool", Map.of("warm", 1, "max", 2))));
        bench.list();
        var busy = bench.send();
        bench.send();
        var waiting = bench.send();

        bench.one().upstream().close();

        assertThat(busy.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
        assertThat(waiting.awaitFailure().message()).contains("is closed");
        assertThat(bench.one().server.connections()).allMatch(HeldTransport::isClosed);
        assertThat(bench.send().awaitFailure().message()).contains("is closed");
    }

    private static Caller user(String name) {
        return Caller.ANONYMOUS.withSession(name).withPrincipal(new Principal(name, "token"));
    }
}
