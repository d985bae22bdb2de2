package io.mcpbridge.downstream;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.TransportTraits.Shape;
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
import java.util.stream.Stream;

/**
 * All clients in front of the bridge, over whatever listeners: their registry and the way to tell them something.
 * Any thread.
 */
public final class Clients implements Acceptor {
    private final DownstreamParts parts;
    private final Budgets calls;
    private final Budgets connections;
    private final Listens.Everywhere listening;
    private final SecureRandom secrets = new SecureRandom();
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong requests = new AtomicLong();
    private final Map<String, ClientSession> sessions = new ConcurrentHashMap<>();
    private final Set<ModernHttp> modern = ConcurrentHashMap.newKeySet();

    public Clients(DownstreamParts parts) {
        this.parts = parts;
        this.calls = new Budgets(parts.limits().callsInFlight());
        this.connections = new Budgets(parts.limits().connections());
        this.listening = new Listens.Everywhere(
                ConcurrentHashMap.newKeySet(), new Budgets(parts.limits().subscriptions()));
    }

    @Override
    public Optional<Intake> connected(Peer peer) {
        if (peer.shape() == Shape.STREAM_PER_REQUEST) {
            var intake = new HttpIntake(this, peer);
            modern.add(intake.modern());
            return Optional.of(intake);
        }
        return open(peer, peer.principal())
                .map(session -> new StreamIntake(
                        session, parts, newListens(ClientCalls.Key.ID), () -> end(session, CancelReason.CLIENT_GONE)));
    }

    /** Opens a session; empty if its principal has as many as it may. */
    Optional<ClientSession> open(Peer peer, Principal principal) {
        if (!connections.take(principal)) {
            parts.environment()
                    .logger()
                    .log(
                            System.Logger.Level.WARNING,
                            "[mcp-bridge] turned a client of '%s' away: %d connections are the limit 'connections' per principal"
                                    .formatted(principal.name(), connections.limit()));
            return Optional.empty();
        }
        var session = new ClientSession(mintNames(), peer, principal, parts, calls);
        session.keepAlive().whenLost(silence -> lost(session, silence));
        sessions.put(session.secret(), session);
        return Optional.of(session);
    }

    boolean hasRoomFor(Principal principal) {
        return connections.hasRoomFor(principal);
    }

    Optional<ClientSession> find(String secret) {
        return Optional.ofNullable(sessions.get(secret));
    }

    void end(ClientSession session, CancelReason reason) {
        if (sessions.remove(session.secret(), session)) {
            connections.giveBack(session.principal());
            session.close(reason);
        }
    }

    private void lost(ClientSession session, Duration silence) {
        var shown = session.record();
        parts.environment()
                .logger()
                .log(
                        System.Logger.Level.WARNING,
                        "[mcp-bridge] client '%s' (%s) has been silent for %d ms and answers no ping: it counts as lost"
                                .formatted(shown.name(), shown.session(), silence.toMillis()));
        end(session, CancelReason.CLIENT_GONE);
    }

    DownstreamParts parts() {
        return parts;
    }

    /** The clients that are there, the oldest first. */
    public List<ClientRecord> registry() {
        return Stream.concat(
                        sessions.values().stream().map(ClientSession::record),
                        modern.stream().flatMap(ModernHttp::records))
                .sorted(Comparator.comparing(ClientRecord::since).thenComparing(ClientRecord::session))
                .toList();
    }

    /**
     * Tells clients something that belongs to no request, such as list_changed: every session of the legacy era, and
     * in the modern one whoever listens to it.
     */
    public void tell(Message message) {
        sessions.values().forEach(session -> session.tell(message));
        if (message instanceof Notification notification) {
            listening.open().forEach(stream -> stream.tell(notification));
        }
    }

    /** How many requests of all clients have no answer yet. */
    public int callsInFlight() {
        return sessions.values().stream().mapToInt(ClientSession::callsInFlight).sum()
                + modern.stream().mapToInt(ModernHttp::callsInFlight).sum();
    }

    /** Ends every session and every stream that listens; what is in flight ends with {@code reason}. */
    public void close(CancelReason reason) {
        listening.open().forEach(ListenStream::end);
        List.copyOf(sessions.values()).forEach(session -> end(session, reason));
        modern.forEach(each -> each.close(reason));
    }

    private ClientSession.Names mintNames() {
        var bytes = new byte[16];
        secrets.nextBytes(bytes);
        return new ClientSession.Names(
                "client-" + count.incrementAndGet(), HexFormat.of().formatHex(bytes));
    }

    /** Our name for a request that belongs to no connection and no session. */
    String mintRequestName() {
        return "request-" + requests.incrementAndGet();
    }

    /** A table for requests that come one more way; all count against the same budgets. */
    ClientCalls newCalls(ClientCalls.Key key) {
        return new ClientCalls(parts, calls, key);
    }

    /** A table for streams that listen and come one more way; all count against the same budget. */
    Listens newListens(ClientCalls.Key key) {
        return new Listens(parts, listening, key);
    }

    /** The listener is gone. */
    void forget(ModernHttp gone) {
        modern.remove(gone);
    }
}
