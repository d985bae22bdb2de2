package io.mcpbridge.transport.http.client;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.ProtocolVersion;
import io.netty.handler.codec.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes up the stream of one request after it broke, again and again until it is stopped or gives up.
 *
 * <p>A server may close a stream on purpose and name a pause: that is polling, and no failure.
 */
final class Resumption implements StreamTurn.Hearer {
    private static final int MOST_FAILURES = 5;

    private final Session session;
    private final ProtocolVersion version;
    private final StreamPosition position;
    private final Consumer<ServerEvent> events;
    private final Consumer<Optional<HttpResponse>> gaveUp;
    private int failures;
    private boolean wasOpened;
    private volatile boolean isStopped;
    private volatile @Nullable StreamTurn turn;
    private volatile Timekeeper.@Nullable Alarm alarm;

    Resumption(
            Session session,
            ProtocolVersion version,
            StreamPosition position,
            Consumer<ServerEvent> events,
            Consumer<Optional<HttpResponse>> gaveUp) {
        this.session = session;
        this.version = version;
        this.position = position;
        this.events = events;
        this.gaveUp = gaveUp;
    }

    /** Waits for as long as the server asks, and asks for the rest of the stream. */
    void resume() {
        wasOpened = false;
        var environment = session.environment();
        var pause = position.pause(failures, session.settings().reconnectDelay(), environment.random());
        alarm = environment.timekeeper().schedule(pause, this::get);
        if (isStopped) {
            stop();
        }
    }

    private void get() {
        if (!isStopped) {
            session.pool().runUrgent(new StreamTurn(session, version, position.lastId(), this));
        }
    }

    /** Ends it from any thread; little more is heard. */
    void stop() {
        isStopped = true;
        var pending = alarm;
        if (pending != null) {
            pending.cancel();
        }
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
        wasOpened = true;
        failures = 0;
    }

    @Override
    public void event(ServerEvent event) {
        events.accept(event);
    }

    @Override
    public void retry(Duration pause) {
        position.retry(pause);
    }

    @Override
    public void refused(HttpResponse head) {
        turn = null;
        if (head.status().code() < 500) {
            gaveUp.accept(Optional.of(head));
        } else {
            failed(Optional.of(head));
        }
    }

    @Override
    public void over() {
        turn = null;
        if (wasOpened) {
            resume();
        } else {
            failed(Optional.empty());
        }
    }

    private void failed(Optional<HttpResponse> head) {
        if (++failures > MOST_FAILURES) {
            gaveUp.accept(head);
        } else {
            resume();
        }
    }
}
