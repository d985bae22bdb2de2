package io.mcpbridge.transport.http.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.MirroredHeaders;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.transport.http.internal.HeaderNames;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The context of all requests of one transport: endpoint, connections, headers, and the session id that the server
 * assigned. Any thread may use it.
 */
final class HttpClientSession {
    private final Endpoint endpoint;
    private final RequestEncoder encoder;
    private final HttpConnectionPool pool;
    private final OutboundRequests outbound;
    private final HttpTransportSettings settings;
    private final Environment environment;
    private volatile @Nullable String sessionId;
    private volatile @Nullable String authorization;

    /** Creates a context whose requests are sent concurrently. */
    HttpClientSession(
            Endpoint endpoint, HttpConnectionPool pool, HttpTransportSettings settings, Environment environment) {
        this(endpoint, pool, settings, environment, false);
    }

    private HttpClientSession(
            Endpoint endpoint,
            HttpConnectionPool pool,
            HttpTransportSettings settings,
            Environment environment,
            boolean isSequential) {
        this.endpoint = endpoint;
        this.encoder = new RequestEncoder(endpoint, settings.headers());
        this.pool = pool;
        this.settings = settings;
        this.environment = environment;
        this.outbound = new OutboundRequests(isSequential);
    }

    /**
     * Creates a context over the same connections, for messages to another endpoint of the server. Each request is sent
     * when the server has accepted the previous one, as on one stream.
     */
    HttpClientSession at(Endpoint other) {
        return new HttpClientSession(other, pool, settings, environment, true);
    }

    Endpoint endpoint() {
        return endpoint;
    }

    RequestEncoder encoder() {
        return encoder;
    }

    HttpConnectionPool pool() {
        return pool;
    }

    OutboundRequests outbound() {
        return outbound;
    }

    HttpTransportSettings settings() {
        return settings;
    }

    Environment environment() {
        return environment;
    }

    /** The id that the server assigned at {@code initialize}. */
    Optional<String> sessionId() {
        return Optional.ofNullable(sessionId);
    }

    void beginSession(String id) {
        sessionId = id;
    }

    /** The headers of a message; {@code initialize} names neither session nor version. */
    MessageHeaders headersFor(Outgoing out) {
        if (out.version().era() == Era.MODERN) {
            return modernHeaders(out);
        }
        out.headers().first(HeaderNames.AUTHORIZATION).ifPresent(shown -> authorization = shown);
        return isInitialize(out) ? out.headers() : named(out.headers(), out.version());
    }

    /** The headers of a GET; an empty id opens a new stream. */
    MessageHeaders headersForStream(ProtocolVersion version, String lastEventId) {
        var headers = named(MessageHeaders.EMPTY, version);
        return HeaderNames.isHeaderValue(lastEventId) && !lastEventId.isEmpty()
                ? headers.with(HeaderNames.LAST_EVENT_ID, lastEventId)
                : headers;
    }

    /** Adds the headers of the session. Streams and the DELETE carry the credentials of the last message. */
    MessageHeaders named(MessageHeaders headers, ProtocolVersion version) {
        var shown = authorization;
        boolean isBare = headers.first(HeaderNames.AUTHORIZATION).isEmpty();
        var authorized = shown != null && isBare ? headers.with(HeaderNames.AUTHORIZATION, shown) : headers;
        var versioned = authorized.with(HeaderNames.PROTOCOL_VERSION, version.text());
        var named = sessionId;
        return named == null ? versioned : versioned.with(HeaderNames.SESSION_ID, named);
    }

    /**
     * Parses the message in a body or event, or the messages of a batch in the one revision that has batches.
     *
     * @throws ProtocolException if it is neither
     */
    List<Message> parse(byte[] json, ProtocolVersion version) {
        var limits = environment.limits().fromServers();
        boolean isBatch = version.equals(ProtocolVersion.V2025_03_26) && Message.isBatch(json);
        return isBatch ? Message.scanBatch(json, limits) : List.of(Message.scan(json, limits));
    }

    /** The headers of a modern request: some repeat parts of its body, and none names a session. */
    private static MessageHeaders modernHeaders(Outgoing out) {
        var message = out.message();
        // From the body, since a server rejects headers that differ from it.
        var version = message.text(MessageField.PROTOCOL_VERSION)
                .or(() -> Optional.of(out.version().text()));
        var versioned = with(out.headers(), MirroredHeaders.VERSION, version);
        var named = with(versioned, MirroredHeaders.METHOD, MirroredHeaders.method(message));
        return with(named, MirroredHeaders.NAME, MirroredHeaders.name(message));
    }

    private static MessageHeaders with(MessageHeaders headers, String name, Optional<String> text) {
        return text.map(MirroredHeaders::encode)
                .map(value -> headers.with(name, value))
                .orElse(headers);
    }

    /** Whether the request is a subscription, which stays open. */
    static boolean isListen(Outgoing out) {
        return out.message() instanceof Request request && request.method().equals(Methods.SUBSCRIPTIONS_LISTEN);
    }

    /** Whether the message names the session. */
    boolean isNamedBy(Outgoing out) {
        return sessionId != null && !isInitialize(out) && out.version().era() == Era.LEGACY;
    }

    static boolean isInitialized(Outgoing out) {
        return out.message() instanceof Notification notification
                && notification.method().equals(Methods.INITIALIZED);
    }

    static boolean isInitialize(Outgoing out) {
        return out.message() instanceof Request request && request.method().equals(Methods.INITIALIZE);
    }

    /**
     * Decides when each post is sent. Any thread may use it.
     *
     * <p>Requests wait while {@code notifications/initialized} is in progress, since they could overtake it on other
     * connections. A request that is cancelled while it waits is never sent.
     */
    final class OutboundRequests {
        /** How long a request may take to be accepted before the next one is sent nevertheless. */
        private static final Duration MAX_WAIT = Duration.ofSeconds(1);

        private final boolean isSequential;
        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private final Deque<PostRequest> delayed = new ArrayDeque<>();

        /** The post that blocks the others. */
        @GuardedBy("lock")
        private @Nullable PostRequest blocking;

        private OutboundRequests(boolean isSequential) {
            this.isSequential = isSequential;
        }

        /** Sends a post, a request perhaps later; messages that the server waits for do not queue behind requests. */
        void run(PostRequest post) {
            if (!post.isRequest()) {
                if (isInitialized(post.out())) {
                    blockUntilCompleted(post);
                }
                pool.runUrgent(post);
            } else if (isListen(post.out())) {
                pool.runStream(post);
            } else if (!isDelayed(post)) {
                send(post);
            }
        }

        private void blockUntilCompleted(PostRequest post) {
            lock.lock();
            try {
                blocking = post;
            } finally {
                lock.unlock();
            }
        }

        private boolean isDelayed(PostRequest request) {
            lock.lock();
            try {
                // completed() was called for it before it was recorded here, if it is not pending.
                if (blocking != null && blocking.isPending()) {
                    return delayed.add(request);
                }
                blocking = isSequential ? request : null;
                return false;
            } finally {
                lock.unlock();
            }
        }

        private void send(PostRequest request) {
            if (isSequential) {
                environment.timekeeper().schedule(MAX_WAIT, () -> completed(request));
            }
            pool.run(request);
        }

        /** Called when the server has accepted the post, or the post has ended; sends the posts that waited for it. */
        void completed(PostRequest post) {
            List<PostRequest> free;
            lock.lock();
            try {
                if (post != blocking) {
                    return;
                }
                delayed.removeIf(waiting -> !waiting.isPending());
                free = isSequential ? Stream.ofNullable(delayed.poll()).toList() : List.copyOf(delayed);
                blocking = isSequential && !free.isEmpty() ? free.get(0) : null;
                if (!isSequential) {
                    delayed.clear();
                }
            } finally {
                lock.unlock();
            }
            free.forEach(this::send);
        }
    }
}
