package io.mcpbridge.transport.http.client;

import static java.lang.System.Logger.Level.DEBUG;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ProtocolException;
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
    private volatile boolean isStopped;
    private volatile @Nullable StreamTurn turn;
    private volatile Timekeeper.@Nullable Alarm alarm;
    private volatile @Nullable Silence silence;

    ListenStream(Session session, ProtocolVersion version, Transport.Receiver receiver) {
        this.session = session;
        this.version = version;
        this.receiver = receiver;
    }

    void start() {
        if (!isStopped) {
            session.pool().runStream(new StreamTurn(session, version, position.lastId(), this));
        }
    }

    /** Ends it for good, from any thread. */
    void stop() {
        isStopped = true;
        cancelAlarm();
        stopWatching();
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
        var opened = turn;
        if (opened != null) {
            var environment = session.environment();
            var limit = session.settings().streamTimeout();
            silence = new Silence(environment.timekeeper(), limit, opened::breakOff).begin();
        }
    }

    @Override
    public void event(ServerEvent event) {
        failures = 0;
        if (!position.advance(event) || !event.isMessage()) {
            return;
        }
        try {
            Pieces.read(event.data(), version, session.environment().bounds().fromServers())
                    .forEach(message -> receiver.message(message, Optional.empty()));
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
        stopWatching();
        if (isStopped) {
            return;
        }
        var environment = session.environment();
        var pause = position.pause(failures++, session.settings().reconnectDelay(), environment.random());
        alarm = environment.timekeeper().schedule(pause, this::start);
        if (isStopped) {
            cancelAlarm();
        }
    }

    @Override
    public void heard() {
        var watching = silence;
        if (watching != null) {
            watching.heard();
        }
    }

    private void stopWatching() {
        var watching = silence;
        if (watching != null) {
            watching.stop();
        }
    }

    private void cancelAlarm() {
        var pending = alarm;
        if (pending != null) {
            pending.cancel();
        }
    }
}
