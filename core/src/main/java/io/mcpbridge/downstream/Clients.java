package io.mcpbridge.downstream;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.EndedSession;
import io.mcpbridge.call.Principal;
import io.mcpbridge.downstream.calls.Budgets;
import io.mcpbridge.downstream.calls.ClientCalls;
import io.mcpbridge.downstream.calls.DownstreamParts;
import io.mcpbridge.downstream.listening.ClientListen;
import io.mcpbridge.downstream.listening.ClientListens;
import io.mcpbridge.downstream.modern.ModernHttp;
import io.mcpbridge.downstream.registry.ClientRecord;
import io.mcpbridge.downstream.session.ClientSession;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Occurrences;
import io.mcpbridge.spi.Peer;
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
 * All clients in front of the bridge, over whatever listeners: their registry and the way to tell them something.
 * Any thread.
 */
public final class Clients implements Acceptor {
    private final DownstreamParts parts;
    private final Consumer<AuditNote> notes;
    private final Budgets calls;
    private final Budgets connections;
    private final ClientListens.Everywhere listening;
    private final SecureRandom secrets = new SecureRandom();
    private final AtomicLong count = new AtomicLong();
    private final Occurrences turnedAway = new Occurrences();
    private final Map<String, ClientSession> sessions = new ConcurrentHashMap<>();
    private final Set<ModernHttp> modern = ConcurrentHashMap.newKeySet();
    private volatile Consumer<Supplier<EndedSession>> onSessionEnded = ended -> {};

    /** A bridge without clients. */
    public Clients(DownstreamParts parts) {
        this(parts, note -> {});
    }

    /**
     * The same, where somebody keeps a record of who was turned away.
     *
     * @param notes hears of it on the thread that turned them away, which it does not keep
     */
    public Clients(DownstreamParts parts, Consumer<AuditNote> notes) {
        this.parts = parts;
        this.notes = notes;
        this.calls = new Budgets(parts.limits().callsInFlight());
        this.connections = new Budgets(parts.limits().connections());
        this.listening = new ClientListens.Everywhere(
                ConcurrentHashMap.newKeySet(), new Budgets(parts.limits().subscriptions()));
    }

    /** Says who hears of the end of each session, which is described only if they ask; before the first client. */
    public void onSessionEnded(Consumer<Supplier<EndedSession>> listener) {
        onSessionEnded = listener;
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

    @Override
    public void note(AuditNote note) {
        try {
            notes.accept(note);
        } catch (RuntimeException failed) {
            // Who is turned away must not end a listener by the defect of a sink.
            parts.environment().logger().log(Level.ERROR, "[mcp-bridge] the audit sink failed on a note", failed);
        }
    }

    /** Opens a session; empty if its principal has as many as it may. */
    Optional<ClientSession> open(Peer peer, Principal principal) {
        if (!connections.take(principal)) {
            turnAway(peer, principal);
            return Optional.empty();
        }
        var session = new ClientSession(mintNames(), peer, principal, parts, calls);
        session.whenLost(silence -> lost(session, silence));
        sessions.put(session.secret(), session);
        return Optional.of(session);
    }

    private void turnAway(Peer peer, Principal principal) {
        var count = turnedAway.count(principal.name());
        if (count.isEmpty()) {
            return;
        }
        var reason = "%d connections are the limit 'connections' per principal".formatted(connections.limit());
        parts.environment()
                .logger()
                .log(
                        Level.WARNING,
                        "[mcp-bridge] turned a client of '%s' away (%d so far): %s"
                                .formatted(principal.name(), count.getAsLong(), reason));
        note(new AuditNote(
                AuditNote.PEER_REFUSED,
                Map.of(
                        "peer", peer.address(),
                        "user", principal.name(),
                        "reason", reason,
                        "count", Long.toString(count.getAsLong()))));
    }

    boolean hasRoomFor(Principal principal) {
        return connections.hasRoomFor(principal);
    }

    Optional<ClientSession> find(String secret) {
        return Optional.ofNullable(sessions.get(secret));
    }

    void end(ClientSession session, CancelReason reason) {
        end(session, reason, session::ended);
    }

    private void end(ClientSession session, CancelReason reason, Supplier<EndedSession> description) {
        if (!sessions.remove(session.secret(), session)) {
            return;
        }
        connections.giveBack(session.principal());
        session.close(reason);
        if (session.isIntroduced()) {
            onSessionEnded.accept(description);
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
        var why =
                Failure.of(ErrorCode.PROVIDER_TIMEOUT, "the client was silent for %d ms".formatted(silence.toMillis()));
        end(session, CancelReason.CLIENT_GONE, () -> session.ended().failed(why));
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
        listening.open().forEach(ClientListen::end);
        List.copyOf(sessions.values()).forEach(session -> end(session, reason));
        modern.forEach(each -> each.close(reason));
    }

    private ClientSession.Names mintNames() {
        var bytes = new byte[16];
        secrets.nextBytes(bytes);
        return new ClientSession.Names(
                "client-" + count.incrementAndGet(), HexFormat.of().formatHex(bytes));
    }

    /** Tables for what comes to one more HTTP listener; all count against the same budgets. */
    ModernHttp.Tables newTables() {
        return new ModernHttp.Tables(
                new ClientCalls(parts, calls, ClientCalls.Key.EXCHANGE), newListens(ClientCalls.Key.EXCHANGE));
    }

    /** A table for streams that listen and come one more way; all count against the same budget. */
    ClientListens newListens(ClientCalls.Key key) {
        return new ClientListens(parts, listening, key);
    }

    /** The listener is gone. */
    void forget(ModernHttp gone) {
        modern.remove(gone);
    }
}
