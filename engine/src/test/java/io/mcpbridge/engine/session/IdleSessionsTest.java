package io.mcpbridge.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Principal;
import io.mcpbridge.engine.Fakes;
import io.mcpbridge.engine.session.DownstreamParts.ClientLimits;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.TransportTraits.Shape;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingLogger;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Idle sessions of one HTTP listener; a request may come while its session ends. */
class IdleSessionsTest {
    private static final Duration IDLE = ClientLimits.DEFAULTS.sessionIdle();

    private final FakeTimekeeper time = new FakeTimekeeper();
    private final Clients clients = new Clients(parts());
    private final Peer peer = new Peer(Principal.ANONYMOUS, Shape.STREAM_PER_REQUEST, "tcp", "there");
    private final HttpFrontend frontend = (HttpFrontend) clients.connected(peer).orElseThrow();
    private final LegacySession session =
            clients.open(peer, Principal.ANONYMOUS).orElseThrow();

    private DownstreamParts parts() {
        var environment = Environment.of(time, Runnable::run, Fakes.NO_LAUNCHER)
                .withLogger(new RecordingLogger())
                .withVariables(Map.of());
        return new DownstreamParts(
                (call, reply) -> {},
                environment,
                new ServerCard("bridge", "1", ""),
                () -> Duration.ofMinutes(1),
                ClientLimits.DEFAULTS);
    }

    @Test
    void touchedSessionEndsAfterItsIdleTimeout() {
        frontend.touch(session);
        time.advance(IDLE.dividedBy(2));
        frontend.touch(session);
        time.advance(IDLE.dividedBy(2));
        assertThat(session.isClosed()).isFalse();

        time.advance(IDLE);

        assertThat(session.isClosed()).isTrue();
    }

    @Test
    void endedSessionIsNotRevivedByALateRequest() {
        frontend.touch(session);
        clients.end(session, CancelReason.CLIENT_GONE);

        frontend.touch(session);
        time.advance(IDLE);

        assertThat(time.pendingAlarms()).isZero();
    }
}
