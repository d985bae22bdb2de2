package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Principal;
import io.mcpbridge.downstream.calls.Budgets;
import io.mcpbridge.downstream.calls.DownstreamParts;
import io.mcpbridge.downstream.calls.ServerCard;
import io.mcpbridge.downstream.session.ClientSession;
import io.mcpbridge.downstream.session.IdleSessions;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.TransportTraits.Shape;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingLogger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Sessions of one HTTP listener that are silent; a request may come while its session ends. */
class IdleSessionsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final FakeTimekeeper time = new FakeTimekeeper();
    private final List<ClientSession> silent = new ArrayList<>();
    private final IdleSessions idle = new IdleSessions(time, silent::add);
    private final ClientSession session = session();

    private ClientSession session() {
        var environment = Environment.with(time, Runnable::run, Fakes.NO_LAUNCHER)
                .logger(new RecordingLogger())
                .variables(Map.of())
                .build();
        var parts = new DownstreamParts(
                (call, reply) -> {},
                environment,
                new ServerCard("bridge", "1", ""),
                () -> Duration.ofMinutes(1),
                ClientBench.LIMITS);
        var peer = new Peer(Principal.ANONYMOUS, Shape.STREAM_PER_REQUEST, "tcp", "there");
        var names = new ClientSession.Names("client-1", "secret");
        return new ClientSession(names, peer, Principal.ANONYMOUS, parts, new Budgets(1));
    }

    @Test
    void oneThatIsTouchedIsToldOfAfterItsSilence() {
        idle.touch(session, PATIENCE);
        time.advance(PATIENCE.dividedBy(2));
        idle.touch(session, PATIENCE);
        time.advance(PATIENCE.dividedBy(2));
        assertThat(silent).isEmpty();

        time.advance(PATIENCE);

        assertThat(silent).containsExactly(session);
    }

    @Test
    void oneThatHasEndedIsNotTakenBackByALateRequest() {
        idle.touch(session, PATIENCE);
        session.close(CancelReason.CLIENT_GONE);
        idle.forget(session);

        idle.touch(session, PATIENCE);

        assertThat(idle.all()).isEmpty();
        assertThat(time.pendingAlarms()).isZero();
    }
}
