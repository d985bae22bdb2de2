package io.mcpbridge.engine.session;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallObserver.EndedSession;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.spi.Exchange.Offer;
import io.mcpbridge.spi.Peer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The session of one legacy client. On a byte stream it is the connection; over HTTP it is the session that a header
 * names. Any thread may use it.
 *
 * <p>The session answers the handshake, {@code ping} and the log level itself; other requests become calls. Over a byte
 * stream, the client may also send modern requests, before, after or without a handshake.
 */
final class LegacySession {
    /** The HTTP header that names a session. */
    static final String SESSION_HEADER = "Mcp-Session-Id";

    private final Names names;
    private final Peer peer;
    private final Principal principal;
    private final DownstreamParts parts;
    private final ClientCalls calls;
    private final LegacyClientStreams streams;
    private final ServerRequests serverRequests = new ServerRequests();
    private final ResponseWriter writer = new ResponseWriter.Legacy(() -> this.logLevel);
    private final Instant since;
    private final long begun;

    /** The self-description of the client in its handshake. */
    private volatile @Nullable ClientDescription card;

    /** The self-description of the client in its last modern request. */
    private volatile @Nullable ClientDescription modernCard;

    /** The caller of its calls; null before the handshake. */
    private volatile @Nullable Caller caller;

    private volatile LogLevel logLevel = LogLevel.DEBUG;
    private volatile boolean isClosed;

    /**
     * The two names of a session.
     *
     * @param shown for logs and operators
     * @param secret identifies the session on HTTP; only its client knows it
     */
    record Names(String shown, String secret) {}

    LegacySession(Names names, Peer peer, Principal principal, DownstreamParts parts, PrincipalQuota quota) {
        var timekeeper = parts.environment().timekeeper();
        this.names = names;
        this.peer = peer;
        this.principal = principal;
        this.parts = parts;
        this.calls = new ClientCalls(parts, quota, ClientCalls.Key.ID);
        this.streams = new LegacyClientStreams(writer::passes, parts.limits().keepAlive(), timekeeper);
        this.since = timekeeper.now();
        this.begun = timekeeper.nanoTime();
    }

    Names names() {
        return names;
    }

    Principal principal() {
        return principal;
    }

    /** Returns the calls of both eras, since the ids of one connection are unique across both. */
    ClientCalls calls() {
        return calls;
    }

    /** Returns the streams for messages that belong to none of the client's requests. */
    LegacyClientStreams streams() {
        return streams;
    }

    /** Processes one exchange of the client. */
    void received(Exchange exchange) {
        streams.received();
        var message = exchange.message().orElse(null);
        if (message instanceof Request request) {
            request(request, exchange);
            return;
        }
        if (message instanceof Notification notification) {
            notification(notification);
        } else if (message instanceof Response response) {
            serverRequests.answered(response);
        }
        switch (exchange.kind()) {
            case LISTEN, RESUME -> streams.add(exchange);
            case END -> exchange.end(Ending.empty());
            case MESSAGE -> exchange.end(Ending.accepted());
        }
    }

    private void request(Request request, Exchange exchange) {
        var from = caller;
        switch (request.method()) {
            case Methods.INITIALIZE -> exchange.end(initialize(request));
            case Methods.PING -> exchange.end(Ending.answer(Response.result(request.id(), "{}")));
            default -> {
                if (from == null) {
                    var why = "'%s' came before 'initialize'; begin with that".formatted(request.method());
                    exchange.end(rejected(request, why));
                } else if (request.method().equals(Methods.LOGGING_SET_LEVEL)) {
                    exchange.end(setLogLevel(request, from));
                } else {
                    calls.begin(request, exchange, from, writer);
                }
            }
        }
    }

    private Ending initialize(Request request) {
        if (isInitialized()) {
            return rejected(request, "this session is initialized already; open another one");
        }
        try {
            var read = ClientDescription.read(request);
            var from = read.caller()
                    .withPrincipal(principal)
                    .withSession(names.shown)
                    .withClient(serverRequests)
                    .withNotificationSink(streams);
            caller = from;
            card = read;
            streams.beginKeepAlive();
            var servers = parts.servers().introductions(from);
            var result = parts.card().initializeResult(read, servers);
            return Ending.answer(Response.result(request.id(), result)).withHeader(SESSION_HEADER, names.secret);
        } catch (ProtocolException malformed) {
            return Rejections.of(Rejections.BAD_REQUEST, request, malformed.failure());
        }
    }

    private static Ending rejected(Request request, String why) {
        return Rejections.of(Rejections.BAD_REQUEST, request, Failure.of(ErrorCode.INVALID_REQUEST, why));
    }

    private Ending setLogLevel(Request request, Caller from) {
        var level = request.text(MessageField.LEVEL).flatMap(LogLevel::parse).orElse(null);
        if (level == null) {
            var words =
                    "'%s' is not a log level; use one of debug, info, notice, warning, error, critical, alert, emergency";
            return Rejections.invalidParams(
                    request, words.formatted(request.text(MessageField.LEVEL).orElse("")));
        }
        logLevel = level;
        caller = from.withLogLevel(level);
        return Ending.answer(Response.result(request.id(), "{}"));
    }

    private void notification(Notification notification) {
        var from = caller;
        if (notification.method().equals(Methods.CANCELLED)) {
            notification
                    .raw(MessageField.CANCELLED_ID)
                    .flatMap(MessageId::parse)
                    .ifPresent(calls::cancel);
        } else if (notification.method().equals(Methods.ROOTS_LIST_CHANGED)
                && from != null
                && canBeAsked(Methods.ROOTS_LIST)) {
            parts.events().notified(from, Notification.of(Methods.ROOTS_LIST_CHANGED));
        }
    }

    private boolean canBeAsked(String method) {
        var current = card;
        return current != null && current.canBeAsked(method);
    }

    /** Notes the self-description in a modern request of the client. */
    void modernRequest(ClientDescription said) {
        modernCard = said;
    }

    boolean isInitialized() {
        return card != null;
    }

    /** Whether it has a call in flight or a stream open. */
    boolean isInUse() {
        return calls.size() > 0 || !streams.isEmpty();
    }

    boolean isClosed() {
        return isClosed;
    }

    /** Returns the revision that the handshake negotiated. */
    ProtocolVersion version() {
        var current = card;
        return current == null ? ProtocolVersion.LATEST_LEGACY : current.agreed();
    }

    /** Whether the handshake negotiated the one revision that has batches. */
    boolean takesBatches() {
        return isInitialized() && version().equals(ProtocolVersion.V2025_03_26);
    }

    /** Sends the client a message that belongs to no request, if its handshake is done. */
    void send(Message message) {
        if (isInitialized()) {
            streams.offer(message);
        }
    }

    /** Returns the self-description of the client; that of the handshake if there was one. */
    Optional<ClientDescription> said() {
        var current = card;
        return Optional.ofNullable(current == null ? modernCard : current);
    }

    /** Ends the session and all calls in both directions. */
    void close(CancelReason reason) {
        isClosed = true;
        calls.close(reason);
        serverRequests.close();
        streams.close();
    }

    /** Describes the ended session for observers. */
    EndedSession ended() {
        var spoken = said().map(ClientDescription::agreed).orElse(ProtocolVersion.LATEST_LEGACY);
        var age = Duration.ofNanos(parts.environment().timekeeper().nanoTime() - begun);
        return EndedSession.ofClient(spoken, age).over(peer.network(), "");
    }

    /** Returns the status of the client for operators. */
    ClientSnapshot record() {
        var origin = new ClientSnapshot.Origin(principal, peer.network(), peer.address(), since);
        return new ClientSnapshot(names.shown, said().orElse(ClientDescription.SILENT), origin, calls.size());
    }

    /** The server requests to the client. Assigns their ids, since two servers may use the same one. */
    private final class ServerRequests implements Handler {
        /** The reply for late answers. */
        private static final Reply IGNORED = outcome -> {};

        private final AtomicLong lastId = new AtomicLong();
        private final Map<MessageId, OpenRequest> pending = new ConcurrentHashMap<>();

        private record OpenRequest(Call call, Reply reply) {}

        @Override
        public void handle(Call call, Reply reply) {
            if (!canBeAsked(call.request().method())) {
                reject(call, reply, "declared no capability for it");
                return;
            }
            var id = MessageId.of("bridge-" + lastId.incrementAndGet());
            pending.put(id, new OpenRequest(call, reply));
            var request = call.request().splice().id(id).done();
            if (offer(call, request) == Offer.FULL) {
                reject(call, take(id), whyNotSent(call));
                return;
            }
            call.cancellation().onCancel(reason -> cancel(id, call, reason));
        }

        /** Sends a message on the stream of the call that it belongs to, or else on a stream for unrelated messages. */
        private Offer offer(Call call, Message message) {
            var exchange = calls.exchange(call.correlationId());
            return exchange.isPresent() ? exchange.get().offer(message) : streams.offer(message);
        }

        private String whyNotSent(Call call) {
            return !streams.isEmpty() || calls.exchange(call.correlationId()).isPresent()
                    ? "does not read what it is sent"
                    : "listens on no stream, which GET opens, and this belongs to none of its calls";
        }

        /** Processes a response of the client; ignores one without a request. */
        private void answered(Response response) {
            var id = response.id();
            if (id.isPresent()) {
                take(id.get()).complete(Outcome.answered(response));
            }
        }

        /** The client is gone. */
        private void close() {
            for (var id : List.copyOf(pending.keySet())) {
                var request = pending.remove(id);
                if (request != null) {
                    reject(request.call, request.reply, "disconnected");
                }
            }
        }

        private void cancel(MessageId id, Call call, CancelReason reason) {
            var reply = take(id);
            if (reply == IGNORED) {
                return;
            }
            offer(call, Notification.of(Methods.CANCELLED, "{\"requestId\":" + id.raw() + "}"));
            reply.complete(Outcome.failed(
                    Failure.of(reason.code(), "the question to the client was withdrawn: " + reason.text())));
        }

        private Reply take(MessageId id) {
            var request = pending.remove(id);
            return request == null ? IGNORED : request.reply;
        }

        private static void reject(Call call, Reply reply, String why) {
            var message = "The client cannot be asked '%s': it %s."
                    .formatted(call.request().method(), why);
            reply.complete(Outcome.failed(Failure.of(ErrorCode.METHOD_NOT_FOUND, message)));
        }
    }
}
