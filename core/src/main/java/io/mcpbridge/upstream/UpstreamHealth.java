package io.mcpbridge.upstream;

import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.upstream.health.Latencies;
import io.mcpbridge.upstream.health.Vitals;
import io.mcpbridge.upstream.introduction.ServerProfile;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Keeps an upstream's state, its log lines and its events in step with what happens to its sessions. Any thread. */
final class UpstreamHealth {
    private static final int LONGEST_LINE = 2_000;

    private final UpstreamParts parts;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile UpstreamStatus.Phase phase;
    private volatile boolean isClosed;
    private volatile boolean isGivenUp;
    private volatile boolean isDoubted;
    private volatile @Nullable Duration ping;
    private final Latencies latencies;
    private final AtomicLong restarts = new AtomicLong();

    UpstreamHealth(UpstreamParts parts) {
        var now = parts.environment().timekeeper().now();
        this.parts = parts;
        this.latencies = new Latencies(parts.environment().timekeeper());
        this.phase = new UpstreamStatus.Phase(UpstreamState.IDLE, now, "", null, null, 0);
    }

    UpstreamStatus.Phase phase() {
        return phase;
    }

    Vitals vitals() {
        return new Vitals(latencies.read(), Optional.ofNullable(ping), restarts.get());
    }

    Latencies latencies() {
        return latencies;
    }

    boolean isClosed() {
        return isClosed;
    }

    /** From here on the ends of sessions are wanted, and worth no word. */
    void close() {
        isClosed = true;
    }

    void connecting() {
        var now = parts.environment().timekeeper().now();
        change(current -> current.connecting(now));
        log(Level.INFO, "connecting to " + parts.address());
    }

    void connected(ServerProfile profile, int tries) {
        isGivenUp = false;
        isDoubted = false;
        var now = parts.environment().timekeeper().now();
        change(current -> current.connected(now, profile));
        log(Level.INFO, "connected to " + parts.address());
        if (tries > 0) {
            restarts.incrementAndGet();
            parts.events().publish(new BridgeEvent.Reconnected(parts.name(), correlation(), tries));
        }
    }

    void connectingFailed(Failure why) {
        if (!isClosed) {
            trouble(why.message());
            log(Level.WARNING, "cannot connect to server '%s': %s".formatted(parts.name(), why.message()));
        }
    }

    void disconnected(Closed why) {
        if (isClosed) {
            return;
        }
        isDoubted = false;
        trouble(why.reason());
        log(Level.WARNING, "disconnected from server '%s': %s".formatted(parts.name(), why.reason()));
        parts.events().publish(new BridgeEvent.Disconnected(parts.name(), correlation(), why.reason()));
    }

    /** It gave no sign of life, and is asked once more. */
    void doubted(String why) {
        isDoubted = true;
        trouble(why);
        log(Level.WARNING, why + "; it is asked once more");
    }

    /** It gave a sign of life that it was asked for. */
    void beat(Duration latency) {
        ping = latency;
        if (isDoubted) {
            isDoubted = false;
            var now = parts.environment().timekeeper().now();
            change(current -> current.recovered(now));
            log(Level.INFO, "server '%s' answers again".formatted(parts.name()));
        }
    }

    /** A call got no answer, which says nothing of the connection. */
    void unanswered(Failure why) {
        var now = parts.environment().timekeeper().now();
        change(current -> current.failed(now, why.message()));
    }

    /** Background tries have ended; calls still may bring the server back. */
    void exhausted(int tries, Failure why) {
        if (isClosed) {
            return;
        }
        isGivenUp = true;
        trouble(why.message());
        log(
                Level.WARNING,
                "gave up connecting to server '%s' after %d tries, until it is called: %s"
                        .formatted(parts.name(), tries, why.message()));
        parts.events().publish(new BridgeEvent.ReconnectExhausted(parts.name(), correlation(), tries, why.message()));
    }

    private void trouble(String why) {
        var now = parts.environment().timekeeper().now();
        var state = parts.reconnects() && !isGivenUp ? UpstreamState.DEGRADED : UpstreamState.UNAVAILABLE;
        change(current -> current.troubled(now, state, why));
    }

    private void change(UnaryOperator<UpstreamStatus.Phase> next) {
        lock.lock();
        try {
            phase = next.apply(phase);
        } finally {
            lock.unlock();
        }
    }

    private String correlation() {
        return "connection-" + parts.name() + "-" + phase.connections();
    }

    private void log(Level level, String text) {
        parts.environment().logger().log(level, "[mcp-bridge] " + VisibleText.beginning(text, LONGEST_LINE));
    }
}
