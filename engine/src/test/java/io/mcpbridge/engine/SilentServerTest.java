package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.engine.upstream.UpstreamStatus;
import io.mcpbridge.event.BridgeEvent.Disconnected;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A silent server is probed; one that does not answer is disconnected. */
class SilentServerTest {
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(30);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration TICK = Duration.ofMillis(1);

    private OneServer bench = OneServer.with(Map.of("keep-alive", "30s"));

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void silentLegacyServerIsPingedAfterThirtySeconds() {
        use();

        bench.time.advance(KEEP_ALIVE.minus(TICK));
        assertThat(pings()).isEmpty();
        bench.time.advance(TICK);

        assertThat(pings()).hasSize(1);
    }

    @Test
    void silentModernServerIsDiscoveredAgain() {
        bench.server.modern();
        use();
        var before = discoveries();

        bench.time.advance(KEEP_ALIVE);

        assertThat(discoveries()).isEqualTo(before + 1);
        assertThat(bench.upstream().status().statistics().ping()).contains(Duration.ZERO);
        assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.HEALTHY);
    }

    @Test
    void modernServerOverHttpIsNotPinged() {
        bench.server.modern();
        bench.server.streamPerRequest();
        use();
        var before = discoveries();

        bench.time.advance(KEEP_ALIVE.multipliedBy(10));

        assertThat(discoveries()).isEqualTo(before);
    }

    @Test
    void unconnectedServerIsNotPinged() {
        bench.time.advance(KEEP_ALIVE.multipliedBy(10));

        assertThat(bench.server.connections()).isEmpty();
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void closingConnectionIsNotPinged() {
        use();
        var connection = bench.connection();
        connection.whileClosing(() -> bench.time.advance(KEEP_ALIVE.multipliedBy(2)));

        bench.upstream().close();

        assertThat(pings()).isEmpty();
        assertThat(connection.isClosed()).isTrue();
    }

    @Test
    void anyMessageDelaysTheNextPing() {
        use();
        bench.time.advance(KEEP_ALIVE.minus(TICK));

        bench.connection().receive(Notification.of("notifications/something", "{}"));
        bench.time.advance(KEEP_ALIVE.minus(TICK));

        assertThat(pings()).isEmpty();
    }

    @Test
    void pingAnswerKeepsTheSessionAndIsMeasured() {
        use();
        bench.time.advance(KEEP_ALIVE);

        bench.time.advance(Duration.ofMillis(12));
        bench.connection().answer(pings().get(0), "{}");
        bench.time.advance(KEEP_ALIVE);

        assertThat(pings()).hasSize(2);
        assertThat(bench.upstream().status().statistics().ping()).contains(Duration.ofMillis(12));
        assertThat(bench.server.connections()).hasSize(1);
    }

    @Test
    void rejectedPingKeepsTheSession() {
        use();
        bench.time.advance(KEEP_ALIVE);

        var id = ((io.mcpbridge.message.Request) pings().get(0).message()).id();
        bench.connection().receive(io.mcpbridge.message.Response.error(id, -32601, "Method not found"));
        bench.time.advance(TIMEOUT.multipliedBy(2));

        assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.HEALTHY);
        assertThat(bench.server.connections()).hasSize(1);
    }

    @Test
    void unansweredPingDegradesTheServerUntilTheNextAnswer() {
        use();
        bench.time.advance(KEEP_ALIVE);

        bench.time.advance(TIMEOUT);

        var doubted = bench.upstream().status();
        assertThat(doubted.state()).isEqualTo(UpstreamStatus.State.DEGRADED);
        assertThat(doubted.error())
                .isEqualTo("server 'tools' gave no sign of life for 40000 ms: 'ping' to server 'tools' timed out after"
                        + " 10000 ms");
        assertThat(pings()).hasSize(2);

        bench.connection().answer(pings().get(1), "{}");

        assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.HEALTHY);
        assertThat(bench.heard).noneMatch(Disconnected.class::isInstance);
    }

    @Test
    void secondUnansweredPingEndsTheSessionAndReconnects() {
        use();
        var first = bench.connection();
        bench.time.advance(KEEP_ALIVE.plus(TIMEOUT));

        bench.time.advance(TIMEOUT);

        assertThat(first.isClosed()).isTrue();
        assertThat(bench.heard).anyMatch(Disconnected.class::isInstance);
        assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.DEGRADED);
        assertThat(bench.upstream().status().error()).contains("gave no sign of life for 50000 ms");

        bench.time.advance(Duration.ofSeconds(2));

        assertThat(bench.server.connections()).hasSize(2);
        assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.HEALTHY);
        assertThat(bench.upstream().status().statistics().restarts()).isEqualTo(1);
    }

    @Test
    void pendingCallsHaveAnUnknownDeliveryWhenTheSessionEnds() {
        use();
        var call = sendWritten();

        bench.time.advance(KEEP_ALIVE.plus(TIMEOUT).plus(TIMEOUT));

        var failure = call.awaitFailure();
        assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
        assertThat(failure.message()).contains("gave no sign of life");
    }

    @Test
    void pendingCallDelaysThePingUpToTheCallTimeout() {
        bench.close();
        bench = OneServer.with(Map.of("keep-alive", "30s", "timeout", "2m"));
        use();
        sendWritten();

        bench.time.advance(Duration.ofMinutes(2).minus(TICK));
        assertThat(pings()).isEmpty();
        bench.time.advance(TICK);

        assertThat(pings()).hasSize(1);
    }

    @Test
    void closedUpstreamLeavesNoAlarm() {
        use();

        bench.close();

        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void singleConnectionIsNotPinged() {
        bench.close();
        bench = OneServer.once();
        use();

        bench.time.advance(KEEP_ALIVE.multipliedBy(10));

        assertThat(pings()).isEmpty();
    }

    private void use() {
        bench.send();
        bench.connection().answer(bench.connection().last(), "{}");
    }

    private RecordingReply sendWritten() {
        var reply = bench.send();
        bench.connection().write(bench.connection().last());
        return reply;
    }

    private List<Outgoing> pings() {
        return bench.connection().requests().stream()
                .filter(out -> out.message().json().contains("\"" + Methods.PING + "\""))
                .toList();
    }

    private long discoveries() {
        return bench.server.connections().stream()
                .map(HeldTransport::messages)
                .flatMap(List::stream)
                .filter(message -> message.json().contains("\"" + Methods.SERVER_DISCOVER + "\""))
                .count();
    }
}
