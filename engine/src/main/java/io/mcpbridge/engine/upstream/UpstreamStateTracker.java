package io.mcpbridge.engine.upstream;

import io.mcpbridge.engine.upstream.UpstreamStatus.State;
import io.mcpbridge.engine.upstream.connection.Heartbeat;
import io.mcpbridge.engine.upstream.connection.LatencyStats;
import io.mcpbridge.engine.upstream.connection.ServerProfile;
import io.mcpbridge.engine.upstream.connection.UpstreamParts;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.spi.Closed;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Tracks the state of an upstream; logs and publishes its changes. Any thread. */
final class UpstreamStateTracker implements Heartbeat.Listener {
    private static final int LONGEST_LINE = 2_000;

    private final UpstreamParts parts;
    private final AtomicReference<UpstreamStatus.Phase> phase;
    private volatile boolean isClosed;
    private volatile boolean isUnresponsive;
    private volatile @Nullable Duration ping;
    private final LatencyStats latencies;
    private final AtomicLong restarts = new AtomicLong();
    private final AtomicLong incidents = new AtomicLong();

    UpstreamStateTracker(UpstreamParts parts) {
        var now = parts.environment().timekeeper().now();
        this.parts = parts;
        this.latencies = new LatencyStats(parts.environment().timekeeper());
        this.phase = new AtomicReference<>(new UpstreamStatus.Phase(State.IDLE, now, "", null, null, 0));
    }

    UpstreamStatus.Phase phase() {
        return Objects.requireNonNull(phase.get());
    }

    /** Returns the profile of the server at its last connection. */
    Optional<ServerProfile> profile() {
        return Optional.ofNullable(phase().profile());
    }

    UpstreamStatus.Statistics statistics() {
        return new UpstreamStatus.Statistics(latencies.snapshot(), Optional.ofNullable(ping), restarts.get());
    }

    LatencyStats latencies() {
        return latencies;
    }

    /** The failure of calls once the upstream is closed; empty before. */
    Optional<Failure> closed() {
        return isClosed ? Optional.of(parts.closed()) : Optional.empty();
    }

    /** Stops logging and reporting the ends of connections. */
    void close() {
        isClosed = true;
    }

    void connecting() {
        change((current, now) -> current.connecting(now));
        log(Level.INFO, "connecting to " + parts.address());
    }

    /** Notes the first connection. */
    void connected(ServerProfile profile) {
        noteConnected((current, now) -> current.connected(now, profile));
    }

    /** Notes a connection after a loss or a failed attempt; {@link #returned} follows when the tools are listed. */
    void returning(ServerProfile profile) {
        noteConnected((current, now) -> current.returning(profile));
    }

    private void noteConnected(BiFunction<UpstreamStatus.Phase, Instant, UpstreamStatus.Phase> next) {
        isUnresponsive = false;
        change(next);
        log(Level.INFO, "connected to " + parts.address());
    }

    /** @param tries attempts that were needed to replace a lost connection; 0 for the first connection */
    void returned(int tries, String cause) {
        change((current, now) -> current.recovered(now));
        if (tries > 0) {
            restarts.incrementAndGet();
            parts.events().publish(new BridgeEvent.Reconnected(parts.name(), cause, tries));
        }
    }

    /** Returns a correlation id for a loss, or for what follows from one, that no call has caused. */
    String newIncident() {
        return "connection-%s-%d".formatted(parts.name(), incidents.incrementAndGet());
    }

    void connectingFailed(Failure why) {
        if (!isClosed) {
            degrade(why.message());
            // Where no other attempt follows, the program that connects receives the failure.
            var level = parts.reconnects() ? Level.WARNING : Level.DEBUG;
            log(level, "cannot connect to server '%s': %s".formatted(parts.name(), why.message()));
        }
    }

    void disconnected(Closed why, String cause) {
        if (isClosed) {
            return;
        }
        isUnresponsive = false;
        degrade(why.reason());
        log(Level.WARNING, "disconnected from server '%s': %s".formatted(parts.name(), why.reason()));
        parts.events().publish(new BridgeEvent.Disconnected(parts.name(), cause, why.reason()));
    }

    @Override
    public void onMissed(String why) {
        isUnresponsive = true;
        degrade(why);
        log(Level.WARNING, why + "; it is asked once more");
    }

    @Override
    public void onPong(Duration latency) {
        ping = latency;
        if (isUnresponsive) {
            isUnresponsive = false;
            change((current, now) -> current.recovered(now));
            log(Level.INFO, "server '%s' answers again".formatted(parts.name()));
        }
    }

    /** Notes a call without an answer, which does not change the state of the connection. */
    void unanswered(Failure why) {
        change((current, now) -> current.failed(now, why.message()));
    }

    /** Notes that the background attempts have ended; a call may still reconnect the server. */
    void exhausted(int tries, Failure why, String cause) {
        if (isClosed) {
            return;
        }
        degrade(State.UNAVAILABLE, why.message());
        log(
                Level.WARNING,
                "gave up connecting to server '%s' after %d tries, until it is called: %s"
                        .formatted(parts.name(), tries, why.message()));
        parts.events().publish(new BridgeEvent.ReconnectExhausted(parts.name(), cause, tries, why.message()));
    }

    private void degrade(String why) {
        // An upstream that has given up is unavailable until it is connected.
        var mayReconnect = parts.reconnects() && phase().state() != State.UNAVAILABLE;
        degrade(mayReconnect ? State.DEGRADED : State.UNAVAILABLE, why);
    }

    private void degrade(State state, String why) {
        change((current, now) -> current.degraded(now, state, why));
    }

    private void change(BiFunction<UpstreamStatus.Phase, Instant, UpstreamStatus.Phase> next) {
        var now = parts.environment().timekeeper().now();
        phase.updateAndGet(current -> next.apply(current, now));
    }

    private void log(Level level, String text) {
        parts.environment().logger().log(level, "[mcp-bridge] " + VisibleText.beginning(text, LONGEST_LINE));
    }
}
