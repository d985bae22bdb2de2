package io.mcpbridge.engine.session;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.CallObserver.EndedSession;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.PowerOfTwoSampler;
import io.mcpbridge.spi.TransportTraits.Shape;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The registry of all clients of the bridge, over any listener. Sends them notifications that belong to no request. Any
 * thread.
 */
public final class Clients implements Acceptor {
    private final DownstreamParts parts;
    private final Consumer<AuditNote> notes;
    private final PrincipalQuota calls;
    private final PrincipalQuota connections;
    private final ListenStreams.Shared subscriptions;
    private final SecureRandom secrets = new SecureRandom();
    private final AtomicLong count = new AtomicLong();
    private final PowerOfTwoSampler rejected = new PowerOfTwoSampler();
    private final Map<String, LegacySession> sessions = new ConcurrentHashMap<>();
    private final Set<HttpFrontend> httpFrontends = ConcurrentHashMap.newKeySet();
    private volatile Consumer<Supplier<EndedSession>> onSessionEnded = ended -> {};

    public Clients(DownstreamParts parts) {
        this(parts, note -> {});
    }

    /** @param notes receives a note about each rejected client, on the thread of its listener, and must not wait */
    public Clients(DownstreamParts parts, Consumer<AuditNote> notes) {
        this.parts = parts;
        this.notes = notes;
        this.calls = new PrincipalQuota(parts.limits().callsInFlight());
        this.connections = new PrincipalQuota(parts.limits().connections());
        this.subscriptions =
                new ListenStreams.Shared(new PrincipalQuota(parts.limits().subscriptions()));
    }

    /**
     * Sets the listener for the ends of sessions, which creates the description on demand; call it before the first
     * client.
     */
    public void onSessionEnded(Consumer<Supplier<EndedSession>> listener) {
        onSessionEnded = listener;
    }

    @Override
    public Optional<Intake> connected(Peer peer) {
        if (peer.shape() == Shape.STREAM_PER_REQUEST) {
            var key = ClientCalls.Key.EXCHANGE;
            var modern = new ModernFrontend(parts, new ClientCalls(parts, calls, key), newSubscriptions(key));
            var frontend = new HttpFrontend(this, peer, modern);
            httpFrontends.add(frontend);
            return Optional.of(frontend);
        }
        return open(peer, peer.principal()).map(StreamFrontend::new);
    }

    private ListenStreams newSubscriptions(ClientCalls.Key key) {
        return new ListenStreams(parts, subscriptions, key);
    }

    @Override
    public void note(AuditNote note) {
        try {
            notes.accept(note);
        } catch (RuntimeException failed) {
            // A defect of a sink must not stop a listener.
            parts.environment().logger().log(Level.ERROR, "[mcp-bridge] the audit sink failed on a note", failed);
        }
    }

    /** Opens a session; empty if its principal has reached its limit. */
    Optional<LegacySession> open(Peer peer, Principal principal) {
        if (!connections.tryAcquire(principal)) {
            reject(peer, principal);
            return Optional.empty();
        }
        var session = new LegacySession(mintNames(), peer, principal, parts, calls);
        session.streams().onLost(silence -> lost(session, silence));
        sessions.put(session.names().secret(), session);
        return Optional.of(session);
    }

    private LegacySession.Names mintNames() {
        var bytes = new byte[16];
        secrets.nextBytes(bytes);
        return new LegacySession.Names(
                "client-" + count.incrementAndGet(), HexFormat.of().formatHex(bytes));
    }

    private void reject(Peer peer, Principal principal) {
        var times = rejected.count(principal.name());
        if (times.isEmpty()) {
            return;
        }
        var reason = "%d connections are the limit 'limits.connections' per principal".formatted(connections.limit());
        warn("turned a client of '%s' away (%d so far): %s".formatted(principal.name(), times.getAsLong(), reason));
        note(new AuditNote(
                AuditNote.PEER_REFUSED,
                Map.of(
                        "peer", peer.address(),
                        "user", principal.name(),
                        "reason", reason,
                        "count", Long.toString(times.getAsLong()))));
    }

    private void warn(String text) {
        parts.environment().logger().log(Level.WARNING, "[mcp-bridge] " + text);
    }

    boolean isSessionAvailable(Principal principal) {
        return connections.isAvailable(principal);
    }

    Optional<LegacySession> find(String secret) {
        return Optional.ofNullable(sessions.get(secret));
    }

    void end(LegacySession session, CancelReason reason) {
        end(session, reason, session::ended);
    }

    private void end(LegacySession session, CancelReason reason, Supplier<EndedSession> description) {
        if (!sessions.remove(session.names().secret(), session)) {
            return;
        }
        connections.release(session.principal());
        session.close(reason);
        if (session.said().isPresent()) {
            onSessionEnded.accept(description);
        }
    }

    private void lost(LegacySession session, Duration silence) {
        var client = session.record();
        warn("client '%s' (%s) has been silent for %d ms and answers no ping: it counts as lost"
                .formatted(client.description().name(), client.session(), silence.toMillis()));
        var why =
                Failure.of(ErrorCode.PROVIDER_TIMEOUT, "the client was silent for %d ms".formatted(silence.toMillis()));
        end(session, CancelReason.CLIENT_GONE, () -> session.ended().failed(why));
    }

    DownstreamParts parts() {
        return parts;
    }

    /** The connected clients, the oldest first. */
    public List<ClientSnapshot> registry() {
        return Stream.concat(
                        sessions.values().stream().map(LegacySession::record),
                        httpFrontends.stream().flatMap(HttpFrontend::modernClients))
                .sorted(Comparator.comparing(
                                (ClientSnapshot client) -> client.origin().since())
                        .thenComparing(ClientSnapshot::session))
                .toList();
    }

    /**
     * Sends clients a notification that belongs to no request, such as {@code list_changed}: to each legacy session,
     * and to each modern stream that subscribed to it.
     */
    public void send(Message message) {
        sessions.values().forEach(session -> session.send(message));
        if (message instanceof Notification notification) {
            subscriptions.send(notification);
        }
    }

    /** Returns how many requests of all clients are in flight. */
    public int callsInFlight() {
        return sessions.values().stream()
                        .mapToInt(session -> session.calls().size())
                        .sum()
                + httpFrontends.stream()
                        .mapToInt(each -> each.modern().callsInFlight())
                        .sum();
    }

    /** Ends every session, every subscription stream and every call, with this reason. */
    public void close(CancelReason reason) {
        subscriptions.end();
        List.copyOf(sessions.values()).forEach(session -> end(session, reason));
        httpFrontends.forEach(each -> each.modern().close(reason));
    }

    /** Removes the frontend of a closed listener. */
    void forget(HttpFrontend closed) {
        httpFrontends.remove(closed);
    }

    /**
     * The client of one byte-stream connection. A request that names its revision belongs to the modern era; every
     * other message belongs to the connection's legacy session.
     */
    private final class StreamFrontend implements Intake {
        private final LegacySession session;
        private final ModernFrontend modern;
        private final ListenStreams subscriptions;

        private StreamFrontend(LegacySession session) {
            this.session = session;
            this.subscriptions = newSubscriptions(ClientCalls.Key.ID);
            this.modern = new ModernFrontend(parts, session.calls(), subscriptions);
        }

        @Override
        public void received(Exchange exchange) {
            var message = exchange.message().orElse(null);
            if (message instanceof Request request && subscriptions.has(request.id())) {
                exchange.end(Rejections.of(Rejections.BAD_REQUEST, request, Rejections.idInUse(request)));
            } else if (message instanceof Request request && request.has(MessageField.PROTOCOL_VERSION)) {
                session.streams().received();
                modern.serve(request, exchange, session.names().shown()).ifPresent(session::modernRequest);
            } else {
                if (message instanceof Notification sent && sent.method().equals(Methods.CANCELLED)) {
                    sent.raw(MessageField.CANCELLED_ID)
                            .flatMap(MessageId::parse)
                            .ifPresent(subscriptions::cancel);
                }
                session.received(exchange);
            }
        }

        @Override
        public boolean takesBatches(MessageHeaders metadata, Principal principal) {
            return session.takesBatches();
        }

        @Override
        public void closed() {
            subscriptions.close();
            end(session, CancelReason.CLIENT_GONE);
        }
    }
}
