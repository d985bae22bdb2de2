package io.mcpbridge.engine.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.call.Timekeeper.Alarm;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MetaKeys;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.MirroredHeaders;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Serves the clients of one HTTP listener. A request that names a revision in its body belongs to the modern era, which
 * has no sessions. For legacy requests the frontend finds the session that the header names, opens one for {@code
 * initialize}, and ends idle sessions. Any thread.
 */
final class HttpFrontend implements Intake {
    private final Clients clients;
    private final Peer listener;
    private final ModernFrontend modern;
    private final Timekeeper timekeeper;
    private final ReentrantLock lock = new ReentrantLock();

    /** When each session was last used, in nanoseconds; the one that has been idle for the longest time first. */
    @GuardedBy("lock")
    private final Map<LegacySession, Long> lastUsed = new LinkedHashMap<>(16, 0.75f, true);

    /** Ends the sessions that have been idle for too long; null while there is none. */
    @GuardedBy("lock")
    private @Nullable Alarm alarm;

    /** @param listener the peer that stands for all clients of the listener; each exchange has its own address */
    HttpFrontend(Clients clients, Peer listener, ModernFrontend modern) {
        this.clients = clients;
        this.listener = listener;
        this.modern = modern;
        this.timekeeper = clients.parts().environment().timekeeper();
    }

    @Override
    public void received(Exchange exchange) {
        var message = exchange.message().orElse(null);
        if (message instanceof Request request && request.has(MessageField.PROTOCOL_VERSION)) {
            modern.serveHttp(request, exchange);
            return;
        }
        var session = exchange.headers().first(LegacySession.SESSION_HEADER);
        var version = exchange.headers().first(MirroredHeaders.VERSION).orElse("");
        if (session.isPresent()) {
            inSession(exchange, session.get());
        } else if (ModernRequestCheck.isServed(version) && !(message instanceof Response)) {
            exchange.end(modernByHeader(message, version));
        } else if (message instanceof Request request && request.method().equals(Methods.INITIALIZE)) {
            initialize(exchange);
        } else {
            exchange.end(Rejections.of(
                    400,
                    exchange,
                    "the header '%s' is missing; begin with 'initialize'".formatted(LegacySession.SESSION_HEADER)));
        }
    }

    /** Returns the answer to an exchange with a modern version header and a body without a revision. */
    private static Ending modernByHeader(@Nullable Message message, String version) {
        if (message instanceof Notification) {
            // The modern era defines no client notifications over HTTP, but does not forbid them.
            return Ending.accepted();
        }
        if (!(message instanceof Request request)) {
            return Ending.refused(405).withHeader("Allow", "POST");
        }
        if (request.method().equals(Methods.INITIALIZE)) {
            return Rejections.headerMismatch(
                    request,
                    "'initialize' belongs to revisions before 2026-07-28, but the header '%s' is '%s'"
                            .formatted(MirroredHeaders.VERSION, version));
        }
        return Rejections.invalidParams(
                request,
                "'_meta' lacks '%s', though the header '%s' is '%s'"
                        .formatted(MetaKeys.PROTOCOL_VERSION, MirroredHeaders.VERSION, version));
    }

    @Override
    public boolean takesBatches(MessageHeaders metadata, Principal principal) {
        return metadata.first(LegacySession.SESSION_HEADER)
                .flatMap(name -> find(name, principal))
                .filter(LegacySession::takesBatches)
                .isPresent();
    }

    /** Finds a session; one of another principal counts as missing. */
    private Optional<LegacySession> find(String name, Principal principal) {
        return clients.find(name).filter(found -> found.principal().equals(principal));
    }

    private void inSession(Exchange exchange, String name) {
        var session = find(name, exchange.principal()).orElse(null);
        if (session == null) {
            exchange.end(Rejections.of(404, exchange, "there is no such session; begin again with 'initialize'"));
            return;
        }
        var version = exchange.headers().first(MirroredHeaders.VERSION);
        if (version.isPresent() && !isLegacy(version.get())) {
            var words = "the header '%s' is '%s', which this session does not speak; it agreed on '%s'"
                    .formatted(MirroredHeaders.VERSION, version.get(), session.version());
            exchange.end(Rejections.of(400, exchange, words));
            return;
        }
        touch(session);
        exchange.bind(name);
        if (exchange.kind() == Exchange.Kind.END) {
            end(session);
        }
        session.received(exchange);
    }

    private static boolean isLegacy(String version) {
        for (var known : ProtocolVersion.KNOWN) {
            if (known.text().equals(version)) {
                return known.era() == Era.LEGACY;
            }
        }
        return false;
    }

    private void initialize(Exchange exchange) {
        var session = open(exchange).orElse(null);
        if (session == null) {
            var words = "'%s' has as many sessions as it may; end one first";
            exchange.end(Rejections.of(
                    503, exchange, words.formatted(exchange.principal().name())));
            return;
        }
        session.received(exchange);
        if (session.isInitialized()) {
            touch(session);
        } else {
            clients.end(session, CancelReason.CLIENT_GONE);
        }
    }

    /** Opens a session; if the principal has too many, ends its longest idle one. */
    private Optional<LegacySession> open(Exchange exchange) {
        var principal = exchange.principal();
        if (!clients.isSessionAvailable(principal)) {
            longestIdle(principal).ifPresent(this::end);
        }
        var client = new Peer(
                principal,
                listener.shape(),
                listener.network(),
                exchange.remote().hostAndPort());
        return clients.open(client, principal);
    }

    private Optional<LegacySession> longestIdle(Principal principal) {
        lock.lock();
        try {
            return lastUsed.keySet().stream()
                    .filter(session -> session.principal().equals(principal) && !session.isInUse())
                    .findFirst();
        } finally {
            lock.unlock();
        }
    }

    /** Restarts the idle time of a session; has no effect on one that has ended. */
    void touch(LegacySession session) {
        lock.lock();
        try {
            if (!session.isClosed()) {
                lastUsed.put(session, timekeeper.nanoTime());
                watch(clients.parts().limits().sessionIdle().toNanos());
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void watch(long nanos) {
        if (alarm == null) {
            alarm = timekeeper.schedule(Duration.ofNanos(nanos), this::expire);
        }
    }

    private void expire() {
        long limit = clients.parts().limits().sessionIdle().toNanos();
        long now = timekeeper.nanoTime();
        List<LegacySession> idle;
        lock.lock();
        try {
            alarm = null;
            idle = lastUsed.entrySet().stream()
                    .takeWhile(each -> now - each.getValue() >= limit)
                    .map(Map.Entry::getKey)
                    .toList();
            lastUsed.values().stream().skip(idle.size()).findFirst().ifPresent(next -> watch(limit - (now - next)));
        } finally {
            lock.unlock();
        }
        for (var session : idle) {
            if (session.isInUse()) {
                touch(session);
            } else {
                end(session);
            }
        }
    }

    private void end(LegacySession session) {
        clients.end(session, CancelReason.CLIENT_GONE);
        lock.lock();
        try {
            lastUsed.remove(session);
            if (lastUsed.isEmpty() && alarm != null) {
                alarm.cancel();
                alarm = null;
            }
        } finally {
            lock.unlock();
        }
    }

    /** The requests of the modern era. */
    ModernFrontend modern() {
        return modern;
    }

    /** Returns the modern clients that have a request in flight. */
    Stream<ClientSnapshot> modernClients() {
        return modern.clients(listener.network());
    }

    @Override
    public void closed() {
        clients.forget(this);
        modern.close(CancelReason.CLIENT_GONE);
        List<LegacySession> sessions;
        lock.lock();
        try {
            sessions = List.copyOf(lastUsed.keySet());
        } finally {
            lock.unlock();
        }
        sessions.forEach(this::end);
    }
}
