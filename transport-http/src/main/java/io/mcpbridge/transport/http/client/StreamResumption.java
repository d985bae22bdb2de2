package io.mcpbridge.transport.http.client;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.ProtocolVersion;
import io.netty.handler.codec.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Resumes the stream of one request after it broke, until it is stopped or fails too often.
 *
 * <p>A server may close a stream on purpose and name a delay: that is polling, and no failure.
 */
final class StreamResumption implements EventStreamRequest.Listener {
    private static final int MAX_FAILURES = 5;

    private final HttpSession session;
    private final ProtocolVersion version;
    private final StreamPosition position;
    private final Consumer<SseEvent> onEvent;
    private final Consumer<Optional<HttpResponse>> onGiveUp;
    private int failures;
    private boolean wasOpened;
    private volatile boolean isStopped;
    private volatile @Nullable EventStreamRequest request;
    private volatile Timekeeper.@Nullable Alarm alarm;

    StreamResumption(
            HttpSession session,
            ProtocolVersion version,
            StreamPosition position,
            Consumer<SseEvent> onEvent,
            Consumer<Optional<HttpResponse>> onGiveUp) {
        this.session = session;
        this.version = version;
        this.position = position;
        this.onEvent = onEvent;
        this.onGiveUp = onGiveUp;
    }

    /** Waits for the delay that the server asks for, and requests the rest of the stream. */
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
            session.pool().runUrgent(new EventStreamRequest(session, version, position.lastId(), this));
        }
    }

    /** Stops from any thread; an event in progress may still be delivered. */
    void stop() {
        isStopped = true;
        var pending = alarm;
        if (pending != null) {
            pending.cancel();
        }
        var current = request;
        if (current != null) {
            current.close();
        }
    }

    @Override
    public boolean begins(EventStreamRequest begun) {
        request = begun;
        return !isStopped;
    }

    @Override
    public void opened() {
        wasOpened = true;
        failures = 0;
    }

    @Override
    public void event(SseEvent event) {
        onEvent.accept(event);
    }

    @Override
    public void retry(Duration pause) {
        position.retry(pause);
    }

    @Override
    public void refused(HttpResponse head) {
        request = null;
        if (head.status().code() < 500) {
            onGiveUp.accept(Optional.of(head));
        } else {
            failed(Optional.of(head));
        }
    }

    @Override
    public void over() {
        request = null;
        if (wasOpened) {
            resume();
        } else {
            failed(Optional.empty());
        }
    }

    private void failed(Optional<HttpResponse> head) {
        if (++failures > MAX_FAILURES) {
            onGiveUp.accept(head);
        } else {
            resume();
        }
    }
}
