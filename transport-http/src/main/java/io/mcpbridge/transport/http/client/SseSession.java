package io.mcpbridge.transport.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.spi.Closed;
import io.netty.handler.codec.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A session of HTTP+SSE, revision 2024-11-05: one event stream that carries every message of the server, and the endpoint that
 * its first event names, to which messages are posted. The session ends with the stream. Any thread may use it.
 */
final class SseSession implements EventStream.Listener {
    private final HttpClientSession context;
    private final StreamableHttpClient client;
    private final Runnable onBegun;
    private final Consumer<Failure> onRefused;
    private final EventStream stream;
    private final KeepAlive keepAlive = new KeepAlive();
    private final AtomicBoolean isDecided = new AtomicBoolean();
    private volatile @Nullable HttpClientSession posting;
    private volatile Timekeeper.Alarm alarm = () -> {};
    private volatile boolean isClosed;

    /**
     * Creates a session that has not begun. One of the actions runs, once.
     *
     * @param client receives the messages of the session, and its end
     * @param onBegun runs when the server has named the endpoint
     * @param onRefused receives the reason if there is no session, which is closed then
     */
    SseSession(HttpClientSession context, StreamableHttpClient client, Runnable onBegun, Consumer<Failure> onRefused) {
        this.context = context;
        this.client = client;
        this.onBegun = onBegun;
        this.onRefused = onRefused;
        this.stream =
                new EventStream(context, ProtocolVersion.V2024_11_05, new StreamPosition(), context.pool()::runStream);
    }

    /** Requests the stream. */
    void begin(Deadline deadline) {
        var late = "gave no event stream with an endpoint within %d ms";
        alarm = deadline.alarm(() -> refuse(
                ErrorCode.PROVIDER_TIMEOUT, late.formatted(deadline.span().toMillis())));
        stream.open(this);
    }

    /** The endpoint for messages, once the server has named it. */
    Optional<HttpClientSession> posting() {
        return Optional.ofNullable(posting);
    }

    /** Ends the session without notifying the client. */
    void close() {
        isClosed = true;
        alarm.cancel();
        keepAlive.stop();
        stream.close();
    }

    @Override
    public void event(SseEvent event) {
        if (isClosed) {
            return;
        }
        if (posting == null && event.type().equals("endpoint")) {
            endpoint(new String(event.data(), UTF_8).strip());
        } else if (event.isMessage()) {
            message(event);
        }
    }

    /**
     * Sets the endpoint. An endpoint of another origin is rejected, since it would receive the configured credentials.
     */
    private void endpoint(String named) {
        var endpoint = context.endpoint().sibling(named);
        if (endpoint.isEmpty()) {
            var words = "names the endpoint '%s', which must be a path or URL of the same origin";
            refuse(ErrorCode.UPSTREAM_INVALID, words.formatted(named));
            return;
        }
        if (isDecided.compareAndSet(false, true)) {
            alarm.cancel();
            posting = context.at(endpoint.get());
            keepAlive.begin();
            client.continueOn(this);
            onBegun.run();
        }
    }

    private void message(SseEvent event) {
        var limits = context.environment().limits().fromServers();
        try {
            client.received(Message.scan(event.data(), limits));
        } catch (ProtocolException unreadable) {
            client.unreadable(unreadable, event.data());
        }
    }

    @Override
    public void refused(HttpResponse head) {
        var words = "answered with HTTP status %d instead of an event stream";
        refuse(ErrorCode.PROVIDER_UNAVAILABLE, words.formatted(head.status().code()));
    }

    @Override
    public void over() {
        if (isClosed) {
            return;
        }
        if (posting == null) {
            refuse(ErrorCode.PROVIDER_UNAVAILABLE, "ended its event stream before it named an endpoint");
        } else {
            ended("has ended its event stream");
        }
    }

    @Override
    public void received() {
        keepAlive.received();
    }

    private void ended(String how) {
        isClosed = true;
        keepAlive.stop();
        client.closed(Closed.disconnected("'%s' %s".formatted(context.endpoint().url(), how)));
    }

    private void refuse(ErrorCode code, String why) {
        if (isDecided.compareAndSet(false, true)) {
            close();
            onRefused.accept(
                    Failure.of(code, "'%s' %s".formatted(context.endpoint().url(), why)));
        }
    }

    /**
     * Pings the server after {@code stream-timeout} of silence, and ends the session if it stays silent: a stream that cannot be
     * resumed must not end for its silence alone, but half-open connections are silent for ever.
     */
    private final class KeepAlive {
        private volatile @Nullable IdleTimeout timeout;
        private volatile boolean isPinging;

        void begin() {
            isPinging = false;
            watch(context.settings().streamTimeout(), this::ping);
        }

        void received() {
            var current = timeout;
            if (current == null) {
                return;
            }
            if (isPinging) {
                begin();
            } else {
                current.reset();
            }
        }

        void stop() {
            var current = timeout;
            if (current != null) {
                current.stop();
            }
        }

        private void ping() {
            isPinging = true;
            watch(context.settings().connectTimeout(), this::expired);
            var place = posting;
            if (place != null && !isClosed) {
                client.ping(place);
            }
        }

        private void expired() {
            if (!isPinging) {
                // Something has arrived while the ping began.
                begin();
            } else if (!isClosed) {
                var limit = context.settings().streamTimeout().toMillis();
                ended("sent nothing on its event stream for %d ms ('stream-timeout') and did not answer a ping"
                        .formatted(limit));
                close();
            }
        }

        private void watch(Duration span, Runnable onIdle) {
            stop();
            var next = new IdleTimeout(context.environment().timekeeper(), span, onIdle);
            timeout = next;
            next.begin();
            if (isClosed) {
                next.stop();
            }
        }
    }
}
