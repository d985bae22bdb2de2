package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.Closed;
import java.time.Duration;

/**
 * Pings a silent server, and ends the connection after two pings in a row without an answer. Any thread; nothing here
 * waits.
 *
 * <p>Every message of the server proves it alive. While calls are in flight the server may be silent for as long as a
 * call may take, since many servers process one request at a time.
 */
public final class Heartbeat {
    /** The longest time that a server gets for one answer. */
    public static final Duration MAX_TIMEOUT = Duration.ofSeconds(10);

    private static final int ATTEMPTS = 2;

    /** Receives the results of pings. Any thread; never waits. */
    public interface Listener {
        /** Ignores the results, for connections that do not determine the state of the server. */
        Listener NONE = new Listener() {};

        /** The server has answered. */
        default void onPong(Duration latency) {}

        /** The server missed the first ping; a second one follows. */
        default void onMissed(String why) {}
    }

    private final ServerConnection connection;
    private final Listener listener;
    private final Caller caller;
    private final UpstreamParts parts;
    private final Duration interval;
    private final Duration timeout;
    private final Timekeeper timekeeper;
    private volatile Timekeeper.Alarm alarm = () -> {};
    private volatile boolean isClosed;

    private Heartbeat(ServerConnection connection, UpstreamContext context, Caller caller, Listener listener) {
        this.connection = connection;
        this.listener = listener;
        this.caller = caller.withoutSession();
        this.parts = context.parts();
        this.interval = parts.settings().reconnect().keepAlive();
        this.timekeeper = context.environment().timekeeper();
        var callTimeout = parts.settings().timeout();
        this.timeout = callTimeout.compareTo(MAX_TIMEOUT) < 0 ? callTimeout : MAX_TIMEOUT;
    }

    /**
     * Begins to check that the server is alive, as long as the connection is open. A modern server over HTTP has no
     * connection that could break unnoticed.
     *
     * @param caller for whom the bridge asks
     */
    public static void begin(ServerConnection connection, UpstreamContext context, Caller caller, Listener listener) {
        var heartbeat = new Heartbeat(connection, context, caller, listener);
        if (!connection.isStateless() && !heartbeat.interval.isZero()) {
            heartbeat.schedule(heartbeat.interval, heartbeat::check);
            connection.onEnding(heartbeat::close);
        }
    }

    private void close() {
        isClosed = true;
        alarm.cancel();
    }

    private void check() {
        var rest = maxSilence().minus(silence());
        if (rest.compareTo(Duration.ZERO) > 0) {
            schedule(rest, this::check);
        } else {
            ask(1);
        }
    }

    /** While a call is in flight, the server may be silent for as long as that may take. */
    private Duration maxSilence() {
        var callTimeout = parts.settings().timeout();
        return connection.isBusy() && callTimeout.compareTo(interval) > 0 ? callTimeout : interval;
    }

    private Duration silence() {
        return Duration.ofNanos(timekeeper.nanoTime() - connection.lastReceived());
    }

    private void ask(int attempt) {
        if (connection.isClosed()) {
            return;
        }
        var method = connection.isModern() ? Methods.SERVER_DISCOVER : Methods.PING;
        var call = parts.call("keep-alive", method, "{}", caller).withDeadline(Deadline.after(timeout, timekeeper));
        var asked = timekeeper.nanoTime();
        connection.sendOwn(call, outcome -> ended(attempt, asked, outcome));
    }

    private void ended(int attempt, long asked, Outcome outcome) {
        if (isClosed || connection.isClosed()) {
            return;
        }
        if (outcome instanceof Outcome.Answered) {
            listener.onPong(Duration.ofNanos(timekeeper.nanoTime() - asked));
            schedule(interval, this::check);
        } else if (connection.lastReceived() - asked > 0) {
            schedule(interval, this::check);
        } else {
            missed(attempt, asked, ((Outcome.Failed) outcome).failure().message());
        }
    }

    private void missed(int attempt, long asked, String why) {
        var message = "server '%s' gave no sign of life for %d ms: %s"
                .formatted(connection.server(), silence().toMillis(), why);
        if (attempt >= ATTEMPTS) {
            // Ends the calls at once, since the server may never end its connection.
            connection.terminate(Closed.disconnected(message));
            parts.later(connection::close);
            return;
        }
        listener.onMissed(message);
        // A ping that failed at once would fail again at once.
        var rest = timeout.minusNanos(timekeeper.nanoTime() - asked);
        schedule(rest.isNegative() ? Duration.ZERO : rest, () -> ask(attempt + 1));
    }

    private void schedule(Duration span, Runnable action) {
        alarm = timekeeper.schedule(span, action);
        if (isClosed) {
            alarm.cancel();
        }
    }
}
