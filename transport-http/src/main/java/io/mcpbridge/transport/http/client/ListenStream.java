package io.mcpbridge.transport.http.client;

import static java.lang.System.Logger.Level.DEBUG;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.spi.Transport;
import io.netty.handler.codec.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The stream for what belongs to no request. It is taken up again whenever it ends, with growing pauses, until
 * it is stopped or the server says that it has none.
 */
final class ListenStream implements StreamTurn.Hearer {
    private final Session session;
    private final ProtocolVersion version;
    private final Transport.Receiver receiver;
    private final StreamPosition position = new StreamPosition();
    private int failures;
    private volatile long heardAt;
    private volatile boolean isStopped;
    private volatile @Nullable StreamTurn turn;
    private volatile Timekeeper.@Nullable Alarm alarm;
    private volatile Timekeeper.@Nullable Alarm silence;

    ListenStream(Session session, ProtocolVersion version, Transport.Receiver receiver) {
        this.session = session;
        this.version = version;
        this.receiver = receiver;
    }

    void start() {
        if (!isStopped) {
            session.pool().runUrgent(new StreamTurn(session, version, position.lastId(), this));
        }
    }

    /** Ends it for good, from any thread. */
    void stop() {
        isStopped = true;
        cancel(alarm);
        cancel(silence);
        var current = turn;
        if (current != null) {
            current.close();
        }
    }

    @Override
    public boolean begins(StreamTurn begun) {
        turn = begun;
        return !isStopped;
    }

    @Override
    public void opened() {
        heard();
        watch();
    }

    @Override
    public void event(ServerEvent event) {
        failures = 0;
        if (!position.advance(event) || !event.isMessage()) {
            return;
        }
        try {
            receiver.message(
                    Message.scan(event.data(), session.environment().bounds().fromServers()), Optional.empty());
        } catch (ProtocolException unreadable) {
            receiver.unreadable(unreadable, Optional.empty());
        }
    }

    @Override
    public void retry(Duration pause) {
        position.retry(pause);
    }

    @Override
    public void refused(HttpResponse head) {
        turn = null;
        if (head.status().code() >= 500 || head.status().code() == 429) {
            over();
            return;
        }
        // 405 says that the server has no such stream; 404, which means a lost session, the next request hears too.
        var words = "[mcp-bridge] '%s' gives no stream of its own: HTTP status %d";
        session.environment()
                .logger()
                .log(
                        DEBUG,
                        words.formatted(session.target().url(), head.status().code()));
    }

    @Override
    public void over() {
        turn = null;
        cancel(silence);
        if (isStopped) {
            return;
        }
        var environment = session.environment();
        var pause = position.pause(failures++, session.settings().reconnectDelay(), environment.random());
        alarm = environment.timekeeper().schedule(pause, this::start);
        if (isStopped) {
            cancel(alarm);
        }
    }

    @Override
    public void heard() {
        heardAt = session.environment().timekeeper().nanoTime();
    }

    /** Half-open connections are silent for ever, so silence ends the stream after a while. */
    private void watch() {
        var limit = session.settings().streamTimeout();
        var left = limit.minusNanos(session.environment().timekeeper().nanoTime() - heardAt);
        var current = turn;
        if (current == null || isStopped) {
            return;
        }
        if (left.isNegative() || left.isZero()) {
            current.breakOff();
            return;
        }
        silence = session.environment().timekeeper().schedule(left, this::watch);
    }

    private static void cancel(Timekeeper.@Nullable Alarm pending) {
        if (pending != null) {
            pending.cancel();
        }
    }
}
