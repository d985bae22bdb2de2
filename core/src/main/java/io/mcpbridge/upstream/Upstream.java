package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.TransportTraits;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Our view of one server: the last handler a call meets. Any thread may use it.
 *
 * <p>Whoever makes it closes it. Sessions are opened when a call needs one, one per kind of caller.
 */
public final class Upstream implements Handler, AutoCloseable {
    private final UpstreamParts parts;
    private final Map<SessionKey, SessionSlot> slots = new ConcurrentHashMap<>();
    private final ReentrantLock phaseLock = new ReentrantLock();
    private final DropCounter dropped;
    private final SessionEvents events = new Events();
    private volatile UpstreamStatus.Phase phase;
    private volatile Consumer<Notification> onNotification = notification -> {};
    private volatile boolean isClosed;

    /** Makes an upstream that connects to nothing yet. */
    public Upstream(UpstreamParts parts) {
        var environment = parts.environment();
        this.parts = parts;
        this.dropped = new DropCounter(parts.name(), environment.timekeeper(), environment.logger());
        var now = environment.timekeeper().now();
        this.phase = new UpstreamStatus.Phase(UpstreamState.IDLE, now, "", null, 0);
    }

    /** Says who hears what the server says that belongs to no call, such as list_changed; before the first call. */
    public void onNotification(Consumer<Notification> listener) {
        onNotification = listener;
    }

    public String name() {
        return parts.name();
    }

    UpstreamParts parts() {
        return parts;
    }

    public Environment environment() {
        return parts.environment();
    }

    public EventBus events() {
        return parts.events();
    }

    /** The section of the configuration that it was made from. */
    public ServerSettings settings() {
        return parts.settings();
    }

    @Override
    public void handle(Call call, Reply reply) {
        if (isClosed) {
            reply.done(Outcome.failed(closedFailure()));
            return;
        }
        slot(call.caller()).send(call, reply);
    }

    /** Opens the caller's session if it is not there; {@code reply} hears when it is ready or cannot be. */
    public void connect(Call call, Reply reply) {
        if (isClosed) {
            reply.done(Outcome.failed(closedFailure()));
            return;
        }
        slot(call.caller()).connect(call, reply);
    }

    private SessionSlot slot(Caller caller) {
        var key = SessionKey.of(caller, parts.settings().shared());
        var slot = slots.get(key);
        return slot != null ? slot : slots.computeIfAbsent(key, absent -> new SessionSlot(parts, caller, events));
    }

    /** What the server said of itself when it was connected last. */
    public Optional<ServerProfile> profile() {
        return Optional.ofNullable(phase.profile());
    }

    public UpstreamStatus status() {
        var current = phase;
        var sessions =
                slots.values().stream().flatMap(slot -> slot.session().stream()).toList();
        var traits =
                sessions.stream().map(session -> session.transport().traits()).findFirst();
        return new UpstreamStatus(
                name(),
                parts.settings().type(),
                traits.map(TransportTraits::address).orElse(""),
                traits.map(TransportTraits::pid).orElse(OptionalLong.empty()),
                current.state(),
                current.since(),
                current.error(),
                Optional.ofNullable(current.profile()),
                current.connections(),
                sessions.stream().mapToInt(UpstreamSession::callsInFlight).sum(),
                dropped.total());
    }

    /** Ends every session and every call of this server; waits until the transports are closed. */
    @Override
    public void close() {
        isClosed = true;
        slots.values().forEach(slot -> slot.close(closedFailure()));
        slots.clear();
    }

    private Failure closedFailure() {
        return Failure.of(
                        ErrorCode.PROVIDER_UNAVAILABLE,
                        "server '%s' is closed; open a new connection".formatted(name()))
                .withRetryable(false)
                .withServer(name());
    }

    private void change(UnaryOperator<UpstreamStatus.Phase> next) {
        phaseLock.lock();
        try {
            phase = next.apply(phase);
        } finally {
            phaseLock.unlock();
        }
    }

    private void log(Level level, String text) {
        parts.environment().logger().log(level, "[mcp-bridge] " + text);
    }

    /** Keeps the phase, the log and the event bus up to date. */
    private final class Events implements SessionEvents {

        @Override
        public void connecting() {
            log(Level.INFO, "connecting to " + parts.address());
        }

        @Override
        public void opened(UpstreamSession session, ServerProfile profile) {
            var now = parts.environment().timekeeper().now();
            var before = phase.connections();
            change(current -> current.connected(now, profile));
            log(Level.INFO, "connected to " + parts.address());
            if (before > 0) {
                parts.events().publish(new BridgeEvent.Reconnected(name(), correlation(), 1));
            }
        }

        @Override
        public void openingFailed(Failure why) {
            trouble(why.message());
            log(Level.WARNING, "cannot connect to server '%s': %s".formatted(name(), why.message()));
        }

        @Override
        public void disconnected(Closed why) {
            if (isClosed) {
                return;
            }
            trouble(why.reason());
            log(Level.WARNING, "disconnected from server '%s': %s".formatted(name(), why.reason()));
            parts.events().publish(new BridgeEvent.Disconnected(name(), correlation(), why.reason()));
        }

        private void trouble(String why) {
            var now = parts.environment().timekeeper().now();
            var state = parts.reconnects() ? UpstreamState.DEGRADED : UpstreamState.UNAVAILABLE;
            change(current -> current.troubled(now, state, why));
        }

        private String correlation() {
            return "connection-" + name() + "-" + phase.connections();
        }

        @Override
        public SessionListener of(SessionSlot slot) {
            return new SlotListener(slot);
        }
    }

    /** Hears of the sessions of one slot. */
    private final class SlotListener implements SessionListener {
        private final SessionSlot slot;

        private SlotListener(SessionSlot slot) {
            this.slot = slot;
        }

        @Override
        public void closed(UpstreamSession session, Closed why) {
            slot.closed(session, why);
        }

        @Override
        public void sessionLost(UpstreamSession session, Call call, Reply reply, Failure why) {
            slot.retire(session);
            if (reply instanceof Resent || !parts.reconnects()) {
                reply.done(Outcome.failed(why));
                return;
            }
            slot.send(call, new Resent(reply));
        }

        @Override
        public void notified(UpstreamSession session, Notification notification) {
            onNotification.accept(notification);
        }

        @Override
        public void dropped(String what) {
            dropped.count(what);
        }
    }

    /** Marks a call that was sent once more because its session was lost; that happens once. */
    private record Resent(Reply reply) implements Reply {

        @Override
        public void event(Message progressOrLog) {
            reply.event(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            reply.done(outcome);
        }
    }
}
