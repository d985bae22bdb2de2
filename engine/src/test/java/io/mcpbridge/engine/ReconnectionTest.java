package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.engine.upstream.UpstreamStatus;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.event.BridgeEvent.ReconnectExhausted;
import io.mcpbridge.event.BridgeEvent.Reconnected;
import io.mcpbridge.event.BridgeEvent.ToolsRefreshed;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.spi.RequestFailure.Kind;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A server that was lost is connected again without a call, patiently but not for ever. */
class ReconnectionTest {
    /** Doubling from a second, none above thirty. */
    private static final List<Duration> PAUSES = LongStream.of(1, 2, 4, 8, 16, 30, 30, 30, 30, 30)
            .mapToObj(Duration::ofSeconds)
            .toList();

    private static final String TOOLS = "{\"tools\":[{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}]}";

    private OneServer bench = OneServer.reconnecting();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void lostServerIsReconnectedAfterOneSecondWithoutACall() {
        use();
        bench.connection().end(Closed.disconnected("it restarts"));
        assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.DEGRADED);

        bench.time.advance(Duration.ofMillis(999));
        assertThat(bench.server.connections()).hasSize(1);
        bench.time.advance(Duration.ofMillis(1));

        assertThat(bench.server.connections()).hasSize(2);
        assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.HEALTHY);
        assertThat(events(Reconnected.class))
                .singleElement()
                .satisfies(event -> assertThat(event.tries()).isEqualTo(1));
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void retryDelayDoublesUpToThirtySecondsUntilTheBridgeGivesUp() {
        use();
        losePermanently();

        assertThat(delaysUntilGivenUp()).isEqualTo(PAUSES);

        assertThat(events(ReconnectExhausted.class)).singleElement().satisfies(event -> {
            assertThat(event.topic()).isEqualTo("provider.mcp.reconnect.exhausted");
            assertThat(event.server()).isEqualTo(OneServer.NAME);
            assertThat(event.correlationId()).isEqualTo("connection-tools-1");
            assertThat(event.tries()).isEqualTo(10);
            assertThat(event.reason()).contains("nobody listens");
        });
        assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.UNAVAILABLE);
        assertThat(bench.log.lines())
                .anySatisfy(line -> assertThat(line)
                        .contains("gave up connecting to server 'tools' after 10 tries, until it is called"));
    }

    @Nested
    class AfterItWasGivenUp {
        private void giveUp() {
            use();
            losePermanently();
            delaysUntilGivenUp();
            bench.time.advance(Duration.ofHours(1));
        }

        @Test
        void eachCallTriesOnceAfterTheBridgeGaveUp() {
            giveUp();
            var tries = bench.server.made().size();

            var reply = bench.send();

            assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
            assertThat(bench.server.made()).hasSize(tries + 1);
            assertThat(bench.time.pendingAlarms()).isZero();
            assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.UNAVAILABLE);
            assertThat(events(ReconnectExhausted.class)).hasSize(1);
        }

        @Test
        void successfulCallReconnectsAndResetsTheRetries() {
            giveUp();
            bench.server.reachable();
            use();
            assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.HEALTHY);

            losePermanently();

            assertThat(delaysUntilGivenUp()).isEqualTo(PAUSES);
        }
    }

    @Test
    void toolsAreListedAgainAndTheirChangeIsReported() {
        bench.route.tools().list(OneServer.client("alice"), new Lists());
        bench.connection()
                .answer(
                        bench.connection().last(),
                        "{\"tools\":[{\"name\":\"old\",\"inputSchema\":{\"type\":\"object\"}}]}");
        bench.connection().end(Closed.disconnected("it restarts"));

        bench.time.advance(Duration.ofMillis(1_500));
        bench.connection()
                .answer(
                        bench.connection().last(),
                        "{\"tools\":[{\"name\":\"new\",\"inputSchema\":{\"type\":\"object\"}}]}");

        assertThat(events(ToolsRefreshed.class)).singleElement().satisfies(event -> {
            assertThat(event.added()).containsExactly("new");
            assertThat(event.removed()).containsExactly("old");
        });
        assertThat(bench.toolChanges).hasValue(1);
    }

    @Test
    void callDoesNotWaitForTheNextRetry() {
        use();
        losePermanently();
        bench.time.advance(Duration.ofSeconds(3));
        bench.server.reachable();
        bench.time.advance(Duration.ofSeconds(2));

        use();

        assertThat(events(Reconnected.class)).hasSize(1);
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void retriesEndIfTheServerEndsAfterEachHandshake() {
        bench.send();
        var lost = 0;

        while (events(ReconnectExhausted.class).isEmpty() && lost < 100) {
            bench.connection().end(Closed.disconnected("it crashed"));
            bench.time.untilNextAlarm().ifPresent(bench.time::advance);
            lost++;
        }

        assertThat(lost).isEqualTo(11);
    }

    @Test
    void unusedServerIsNotConnected() {
        bench.server.unreachable(down());

        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void serverThatWasDownIsListedOnceItIsReachable() {
        bench.server.unreachable(down());
        var alice = OneServer.client("alice");
        bench.route.tools().list(alice, new Lists());
        bench.route.tools().of(alice).noteMissing();
        assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.DEGRADED);

        bench.server.reachable();
        bench.time.advance(Duration.ofMillis(1_500));
        bench.connection()
                .answer(
                        bench.connection().last(),
                        "{\"tools\":[{\"name\":\"new\",\"inputSchema\":{\"type\":\"object\"}}]}");

        assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.HEALTHY);
        assertThat(bench.toolChanges).hasValue(1);
        assertThat(events(Reconnected.class)).isEmpty();
    }

    @Test
    void reconnectionWithoutAChangeIsNotReported() {
        var tools = "{\"tools\":[{\"name\":\"same\",\"inputSchema\":{\"type\":\"object\"}}]}";
        bench.route.tools().list(OneServer.client("alice"), new Lists());
        bench.connection().answer(bench.connection().last(), tools);
        bench.connection().end(Closed.disconnected("it restarts"));

        bench.time.advance(Duration.ofMillis(1_500));
        bench.connection().answer(bench.connection().last(), tools);

        assertThat(bench.toolChanges).hasValue(0);
    }

    @Test
    void eagerServerIsRetriedThoughItWasNeverConnected() {
        bench.close();
        bench = OneServer.with(Map.of("start", "eager"));
        bench.server.unreachable(down());
        bench.upstream().connect(bench.call(Methods.INITIALIZE, "{}", OneServer.client("")), new RecordingReply());

        assertThat(delaysUntilGivenUp()).isEqualTo(PAUSES);
        assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.UNAVAILABLE);
    }

    @Test
    void retryDelayAndCountAreConfigurable() {
        bench.close();
        bench = OneServer.with(Map.of("reconnectBackoffMs", 250, "reconnect-attempts", 3));
        use();
        losePermanently();

        assertThat(delaysUntilGivenUp())
                .containsExactly(Duration.ofMillis(250), Duration.ofMillis(500), Duration.ofSeconds(1));
    }

    @Test
    void retryDelayHasJitterIfConfigured() {
        bench.close();
        bench = OneServer.with(Map.of("reconnect-jitter", 0.5));
        use();
        losePermanently();

        var pauses = delaysUntilGivenUp();

        assertThat(pauses).hasSameSizeAs(PAUSES).isNotEqualTo(PAUSES);
        for (int i = 0; i < pauses.size(); i++) {
            var least = PAUSES.get(i);
            assertThat(pauses.get(i)).isBetween(least, least.plus(least.dividedBy(2)));
            assertThat(pauses.get(i)).isLessThanOrEqualTo(Duration.ofSeconds(30));
        }
    }

    @Test
    void serverIsHealthyOnceItsToolsAreListedAgain() {
        listTools("old");
        bench.connection().end(Closed.disconnected("it restarts"));

        bench.time.advance(Duration.ofSeconds(1));
        assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.DEGRADED);
        assertThat(events(Reconnected.class)).isEmpty();
        answerWithTool("new");

        assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.HEALTHY);
        assertThat(bench.heard.subList(2, bench.heard.size()))
                .extracting(BridgeEvent::topic)
                .containsExactly("provider.mcp.tools.refreshed", "provider.mcp.reconnected");
    }

    @Test
    void serverIsHealthyThoughItsToolsCannotBeListedAgain() {
        listTools("old");
        bench.connection().end(Closed.disconnected("it restarts"));
        bench.time.advance(Duration.ofSeconds(1));

        var request = (Request) bench.connection().last().message();
        bench.connection().receive(Response.error(request.id(), -32603, "not now"));

        assertThat(events(Reconnected.class)).hasSize(1);
    }

    @Test
    void connectionLostBeforeItsToolsAreListedIsNotHealthy() {
        listTools("old");
        bench.connection().end(Closed.disconnected("it restarts"));
        bench.time.advance(Duration.ofSeconds(1));

        bench.server.unreachable(down());
        bench.connection().end(Closed.disconnected("it crashed"));

        assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.DEGRADED);
        assertThat(events(Reconnected.class)).isEmpty();
    }

    @Nested
    class CorrelationIds {
        @Test
        void eventsOfOneLossShareACorrelationId() {
            listTools("old");
            bench.connection().end(Closed.disconnected("it restarts"));
            bench.time.advance(Duration.ofSeconds(1));
            answerWithTool("new");
            assertThat(idsAfter(1)).containsExactly("connection-tools-1", "connection-tools-1", "connection-tools-1");

            losePermanently();
            delaysUntilGivenUp();

            assertThat(idsAfter(4)).containsExactly("connection-tools-2", "connection-tools-2");
        }

        @Test
        void eventsCarryTheCorrelationIdOfTheReconnectingCall() {
            listTools("old");
            bench.server.unreachable(down());
            bench.connection().end(Closed.disconnected("it restarts"));
            bench.time.advance(Duration.ofSeconds(1));
            bench.server.reachable();
            bench.time.advance(Duration.ofMillis(500));

            bench.send();
            bench.connection().answer(bench.connection().requests().get(0), TOOLS.formatted("new"));

            assertThat(idsAfter(1)).containsExactly("connection-tools-1", "c-1", "c-1");
        }

        @Test
        void lossCarriesTheCorrelationIdOfTheCallThatFoundIt() {
            use();
            bench.server.unreachable(down());

            bench.send();
            var forgotten = Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "no such session")
                    .withDelivery(Delivery.REJECTED);
            bench.connection().fail(bench.connection().last(), RequestFailure.of(Kind.SESSION_LOST, forgotten));
            delaysUntilGivenUp();

            assertThat(bench.heard.stream().map(BridgeEvent::correlationId)).containsExactly("c-1", "c-1");
        }

        @Test
        void discoveryCarriesTheCorrelationIdOfTheListingCall() {
            var call = bench.call(Methods.TOOLS_LIST, "{}", OneServer.client("alice"));
            bench.route.tools().list(call.causer(), new Lists());
            answerWithTool("old");

            assertThat(idsAfter(0)).containsExactly("c-1");
        }

        private List<String> idsAfter(int events) {
            return bench.heard.stream()
                    .skip(events)
                    .map(BridgeEvent::correlationId)
                    .toList();
        }
    }

    @Test
    void callThatCannotConnectReportsTheNextRetry() {
        use();
        bench.server.unreachable(TransportException.of(Failure.of(ErrorCode.PROVIDER_INIT_FAILED, "no such program")));
        bench.connection().end(Closed.disconnected("it is replaced"));
        bench.time.advance(Duration.ofSeconds(1));
        bench.time.advance(Duration.ofMillis(500));

        var failure = bench.send().awaitFailure();

        assertThat(failure.code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
        assertThat(failure.retryable()).isTrue();
        assertThat(failure.message())
                .matches(
                        "server 'tools' was lost and cannot be connected; it may connect again in \\d+ ms at the earliest:"
                                + " no such program");
    }

    @Test
    void sessionsOfSingleUsersAreReconnectedByCallsOnly() {
        bench.close();
        bench = OneServer.unshared();
        use();

        losePermanently();

        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void singleConnectionIsNotReconnected() {
        bench.close();
        bench = OneServer.once();
        use();

        bench.connection().end(Closed.disconnected("gone"));

        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void closeEndsTheRetries() {
        use();
        losePermanently();

        bench.close();

        assertThat(bench.time.pendingAlarms()).isZero();
        assertThat(events(ReconnectExhausted.class)).isEmpty();
    }

    @Test
    void firstHandshakeShowsAsConnecting() {
        bench.server.holdHandshakes();

        bench.send();

        assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.CONNECTING);
    }

    private void listTools(String tool) {
        bench.route.tools().list(OneServer.client("alice"), new Lists());
        answerWithTool(tool);
    }

    private void answerWithTool(String tool) {
        bench.connection().answer(bench.connection().last(), TOOLS.formatted(tool));
    }

    /** A call that is answered, which makes the session worth another one. */
    private void use() {
        bench.send();
        bench.connection().answer(bench.connection().last(), "{}");
    }

    private void losePermanently() {
        bench.server.unreachable(down());
        bench.connection().end(Closed.disconnected("it is down"));
    }

    private static TransportException down() {
        return TransportException.unreachable("held:here", new java.net.ConnectException("nobody listens"));
    }

    private List<Duration> delaysUntilGivenUp() {
        var pauses = new ArrayList<Duration>();
        for (var next = bench.time.untilNextAlarm();
                next.isPresent() && pauses.size() < 100;
                next = bench.time.untilNextAlarm()) {
            pauses.add(next.get());
            bench.time.advance(next.get());
        }
        return pauses;
    }

    private <T extends BridgeEvent> List<T> events(Class<T> kind) {
        return bench.heard.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
