package io.mcpbridge.transport.http.client;

import static java.lang.System.Logger.Level.DEBUG;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.spi.Transport;
import io.netty.handler.codec.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges messages with the server of an open transport: posts each message, keeps the notification stream open, and
 * passes received messages to the receiver. Any thread may use it.
 *
 * <p>A server that rejects {@code initialize} by POST may be one of revision 2024-11-05; the client then tries
 * HTTP+SSE.
 */
final class StreamableHttpClient implements PostListener {

    /** The statuses by which servers without Streamable HTTP reject a POST. */
    private static final Set<Integer> FALLBACK_STATUSES = Set.of(400, 404, 405);

    private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(5);
    private static final Set<String> MODERN_ERRORS = Set.of("-32020", "-32021", "-32022");

    private final Transport.Receiver receiver;
    private final HttpClientSession context;
    /** The posts that have not ended. */
    private final Map<Outgoing, PostRequest> posts = new ConcurrentHashMap<>();

    private final AtomicLong pings = new AtomicLong();
    private final AtomicBoolean isStopped = new AtomicBoolean();
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private volatile @Nullable SseSession sse;
    private volatile @Nullable NotificationStream notifications;
    private volatile ProtocolVersion negotiated = ProtocolVersion.LATEST_LEGACY;

    StreamableHttpClient(Transport.Receiver receiver, HttpClientSession context) {
        this.receiver = receiver;
        this.context = context;
    }

    HttpClientSession context() {
        return context;
    }

    /** The revision of the last handshake. */
    ProtocolVersion negotiated() {
        return negotiated;
    }

    /** Posts a message; after {@link #stop} nothing is reported for it. */
    void send(Outgoing out) {
        var target = Optional.ofNullable(sse).flatMap(SseSession::posting).orElse(context);
        var post = new PostRequest(out, target, this);
        var problem = RequestEncoder.problem(out.headers());
        if (problem.isPresent()) {
            post.fail(Failure.of(ErrorCode.INVALID_REQUEST, problem.get()));
        } else if (add(post)) {
            target.outbound().run(post);
        } else {
            posts.remove(out);
        }
    }

    /** Adds a post before it is sent; false if it must not be sent any more. */
    private boolean add(PostRequest post) {
        posts.put(post.out(), post);
        return !isStopped.get();
    }

    /** Withdraws a message; true if it was certainly not sent. */
    boolean abandon(Outgoing out, String reason) {
        var post = posts.remove(out);
        if (post == null) {
            return false;
        }
        var before = post.cancel();
        post.context().outbound().completed(post);
        if (before == PostRequest.Phase.WRITTEN) {
            cancelOnWire(post, reason);
        }
        return before == PostRequest.Phase.QUEUED;
    }

    /** Sends a cancellation: a legacy server does not take a closed stream for one. */
    private void cancelOnWire(PostRequest post, String reason) {
        var out = post.out();
        boolean isCancellable = out.message() instanceof Request && !HttpClientSession.isInitialize(out);
        if (!isCancellable || out.version().era() != Era.LEGACY || isStopped.get()) {
            return;
        }
        var cancellation = Notification.cancelled(((Request) out.message()).id(), reason);
        var deadline = Deadline.after(CANCEL_TIMEOUT, context.environment().timekeeper());
        var cancel = Outgoing.of(cancellation, out.version(), deadline).withHeaders(out.headers());
        sendOwn(new PostRequest(cancel, post.context(), new OwnPost()));
    }

    /** Requests an HTTP+SSE session, which later posts use once it has begun. */
    SseSession openSse(Deadline deadline, Runnable onBegun, Consumer<Failure> onRefused) {
        var opening = new SseSession(context, this, onBegun, onRefused);
        opening.begin(deadline);
        return opening;
    }

    /** Posts all further messages to the endpoint of this session, which also delivers their answers. */
    void continueOn(SseSession begun) {
        sse = begun;
        if (isStopped.get()) {
            begun.close();
        }
    }

    /** Sends a ping of the bridge to {@code target}, whose answer comes on a separate stream and is not reported. */
    void ping(HttpClientSession target) {
        var timeout = Deadline.after(
                context.settings().connectTimeout(), context.environment().timekeeper());
        var request = Request.of(MessageId.of("mcp-bridge-ping-" + pings.incrementAndGet()), Methods.PING, "{}");
        sendOwn(new PostRequest(Outgoing.of(request, ProtocolVersion.V2024_11_05, timeout), target, new OwnPost()));
    }

    private void sendOwn(PostRequest own) {
        if (add(own)) {
            own.context().pool().runUrgent(own);
        }
    }

    /** Called when a message has arrived on a stream that belongs to no request. */
    void received(Message message) {
        var answered = message instanceof Response response
                ? response.id().flatMap(this::find)
                : Optional.<PostRequest>empty();
        if (answered.isPresent()) {
            answered.get().answered((Response) message);
        } else {
            receiver.message(message, Optional.empty());
        }
    }

    /** The request with this id that has not ended. */
    private Optional<PostRequest> find(MessageId id) {
        return posts.values().stream()
                .filter(post -> post.out().message() instanceof Request request
                        && request.id().equals(id))
                .findFirst();
    }

    /** Called when something on such a stream is no message; fails the request that it seems to answer. */
    void unreadable(ProtocolException why, byte[] json) {
        var answerTo =
                Message.readableAnswerId(json, context.environment().limits().fromServers());
        answerTo.flatMap(this::find)
                .ifPresentOrElse(post -> post.unreadable(why), () -> receiver.unreadable(why, answerTo));
    }

    /** Ends everything in progress without notifying the receiver. */
    void stop() {
        if (!isStopped.compareAndSet(false, true)) {
            return;
        }
        posts.values().forEach(PostRequest::cancel);
        posts.clear();
        var stream = notifications;
        if (stream != null) {
            stream.stop();
        }
        var current = sse;
        if (current != null) {
            current.close();
        }
    }

    /** Ends everything in progress and notifies the receiver, once. */
    void closed(Closed why) {
        stop();
        if (isClosed.compareAndSet(false, true)) {
            receiver.closed(why);
        }
    }

    @Override
    public boolean hasSeparateAnswerStream() {
        return sse != null;
    }

    @Override
    public void written(PostRequest post) {
        receiver.writing(post.out());
    }

    @Override
    public void event(PostRequest post, Message event) {
        receiver.message(event, Optional.of(post.out()));
    }

    @Override
    public void ended(PostRequest post) {
        posts.remove(post.out());
        post.context().outbound().completed(post);
    }

    @Override
    public void taken(PostRequest post) {
        post.context().outbound().completed(post);
    }

    @Override
    public void accepted(PostRequest post) {
        boolean isLegacy = post.out().version().era() == Era.LEGACY;
        if (HttpClientSession.isInitialized(post.out()) && isLegacy && sse == null) {
            negotiated = post.out().version();
            openNotificationStream();
        }
    }

    @Override
    public void answered(PostRequest post, Response answer) {
        receiver.message(answer, sse == null ? Optional.of(post.out()) : Optional.empty());
    }

    @Override
    public void unreadable(PostRequest post, ProtocolException why) {
        receiver.unreadable(why, Optional.of(((Request) post.out().message()).id()));
    }

    @Override
    public void failed(PostRequest post, RequestFailure why) {
        if (sse == null && mayKnowOnlySse(post, why)) {
            fallBackToSse(post.out(), why);
        } else {
            receiver.failed(post.out(), why);
        }
    }

    private void openNotificationStream() {
        var stream = new NotificationStream(negotiated);
        notifications = stream;
        stream.start();
        if (isStopped.get()) {
            stream.stop();
        }
    }

    /** Whether a handshake failed as it does with a server that knows only HTTP+SSE. */
    private static boolean mayKnowOnlySse(PostRequest post, RequestFailure why) {
        var code = why.body().flatMap(body -> body.raw(MessageField.ERROR_CODE)).orElse("");
        return HttpClientSession.isInitialize(post.out())
                && why.failure().status().isPresent()
                && FALLBACK_STATUSES.contains(why.failure().status().getAsInt())
                && !MODERN_ERRORS.contains(code);
    }

    /** Sends {@code initialize} again over HTTP+SSE; without such a stream, the handshake fails with {@code why}. */
    private void fallBackToSse(Outgoing initialize, RequestFailure why) {
        var timeout = Deadline.after(
                context.settings().connectTimeout(), context.environment().timekeeper());
        openSse(
                timeout.earlier(initialize.deadline()),
                () -> send(initialize),
                noStream -> receiver.failed(initialize, why));
    }

    /** Listens to a post that the transport sends itself: only its end matters. */
    private final class OwnPost implements PostListener {

        @Override
        public boolean hasSeparateAnswerStream() {
            return true;
        }

        @Override
        public void ended(PostRequest post) {
            posts.remove(post.out());
        }
    }

    /**
     * The stream for messages that belong to no request. It is opened again whenever it ends, with growing delays,
     * until it is stopped or the server rejects it.
     */
    private final class NotificationStream implements EventStream.Listener {
        private final ProtocolVersion version;
        private final StreamPosition position = new StreamPosition();
        private final EventStream stream;
        private int failures;
        private volatile @Nullable IdleTimeout idleTimeout;

        NotificationStream(ProtocolVersion version) {
            this.version = version;
            this.stream = new EventStream(context, version, position, context.pool()::runStream);
        }

        void start() {
            stream.open(this);
        }

        /** Stops it, from any thread. */
        void stop() {
            stopIdleTimeout();
            stream.close();
        }

        @Override
        public void opened() {
            var limit = context.settings().streamTimeout();
            idleTimeout = new IdleTimeout(context.environment().timekeeper(), limit, stream::breakOff).begin();
        }

        @Override
        public void event(SseEvent event) {
            failures = 0;
            if (!position.advance(event) || !event.isMessage()) {
                return;
            }
            try {
                context.parse(event.data(), version).forEach(message -> receiver.message(message, Optional.empty()));
            } catch (ProtocolException notAMessage) {
                unreadable(notAMessage, event.data());
            }
        }

        @Override
        public void refused(HttpResponse head) {
            if (head.status().code() >= 500 || head.status().code() == 429) {
                over();
                return;
            }
            // 405: the server has no such stream. 404: the session is lost, which the next request reports as well.
            var words = "[mcp-bridge] '%s' has no notification stream: HTTP status %d"
                    .formatted(context.endpoint().url(), head.status().code());
            context.environment().logger().log(DEBUG, words);
        }

        @Override
        public void over() {
            stopIdleTimeout();
            stream.resume(failures++, this);
        }

        @Override
        public void received() {
            var watching = idleTimeout;
            if (watching != null) {
                watching.reset();
            }
        }

        private void stopIdleTimeout() {
            var watching = idleTimeout;
            if (watching != null) {
                watching.stop();
            }
        }
    }
}
