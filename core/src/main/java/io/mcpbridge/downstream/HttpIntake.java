package io.mcpbridge.downstream;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Principal;
import io.mcpbridge.downstream.modern.ModernHttp;
import io.mcpbridge.downstream.session.ClientSession;
import io.mcpbridge.downstream.session.IdleSessions;
import io.mcpbridge.era.MirroredHeaders;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Ending;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import java.util.Optional;

/**
 * What one HTTP listener receives. In the legacy era it finds the session that an exchange names, opens one for
 * {@code initialize}, and ends those that are silent for too long; the modern one has no sessions.
 */
public final class HttpIntake implements Intake {
    private final Clients clients;
    private final Peer peer;
    private final ModernHttp modern;
    private final IdleSessions idle;

    HttpIntake(Clients clients, Peer peer) {
        this.clients = clients;
        this.peer = peer;
        this.modern = new ModernHttp(clients.parts(), peer, clients.newTables());
        this.idle = new IdleSessions(clients.parts().environment().timekeeper(), this::expire);
    }

    @Override
    public void received(Exchange exchange) {
        var named = exchange.metadata().first(ClientSession.SESSION_HEADER);
        if (modern.takes(exchange)) {
            return;
        }
        if (named.isPresent()) {
            inSession(exchange, named.get());
        } else if (isInitialize(exchange)) {
            initialize(exchange);
        } else {
            refuse(
                    exchange,
                    400,
                    "the header '%s' is missing; begin with 'initialize'".formatted(ClientSession.SESSION_HEADER));
        }
    }

    @Override
    public boolean takesBatches(Metadata metadata, Principal principal) {
        return metadata.first(ClientSession.SESSION_HEADER)
                .flatMap(name -> find(name, principal))
                .filter(StreamIntake::takesBatches)
                .isPresent();
    }

    /** A session of somebody else is like one that does not exist. */
    private Optional<ClientSession> find(String name, Principal principal) {
        return clients.find(name).filter(found -> found.principal().equals(principal));
    }

    ModernHttp modern() {
        return modern;
    }

    private void inSession(Exchange exchange, String name) {
        var session = find(name, exchange.principal());
        if (session.isEmpty()) {
            refuse(exchange, 404, "there is no such session; begin again with 'initialize'");
            return;
        }
        var version = exchange.metadata().first(MirroredHeaders.VERSION);
        if (version.isPresent() && !isLegacy(version.get())) {
            refuse(
                    exchange,
                    400,
                    "the header '%s' is '%s', which this session does not speak; it agreed on '%s'"
                            .formatted(
                                    MirroredHeaders.VERSION,
                                    version.get(),
                                    session.get().version()));
            return;
        }
        touch(session.get());
        exchange.bind(name);
        if (exchange.kind() == Exchange.Kind.END) {
            end(session.get());
        }
        session.get().received(exchange);
    }

    private void initialize(Exchange exchange) {
        var session = open(exchange.principal());
        if (session.isEmpty()) {
            refuse(
                    exchange,
                    503,
                    "'%s' has as many sessions as it may; end one first"
                            .formatted(exchange.principal().name()));
            return;
        }
        session.get().received(exchange);
        if (!session.get().isInitialized()) {
            clients.end(session.get(), CancelReason.CLIENT_GONE);
            return;
        }
        touch(session.get());
    }

    /** Opens a session, for which an idle one of the same principal has to go where there are too many. */
    private Optional<ClientSession> open(Principal principal) {
        if (!clients.hasRoomFor(principal)) {
            idle.oldest(principal).ifPresent(this::end);
        }
        return clients.open(peer, principal);
    }

    private void touch(ClientSession session) {
        idle.touch(session, clients.parts().limits().sessionIdle());
    }

    private void expire(ClientSession session) {
        if (IdleSessions.isInUse(session)) {
            touch(session);
            return;
        }
        end(session);
    }

    private void end(ClientSession session) {
        clients.end(session, CancelReason.CLIENT_GONE);
        idle.forget(session);
    }

    @Override
    public void closed() {
        clients.forget(modern);
        modern.close(CancelReason.CLIENT_GONE);
        idle.all().forEach(this::end);
    }

    private static boolean isInitialize(Exchange exchange) {
        return exchange.message()
                .filter(message ->
                        message instanceof Request request && request.method().equals(Methods.INITIALIZE))
                .isPresent();
    }

    private static boolean isLegacy(String version) {
        return ProtocolVersion.KNOWN.stream()
                .anyMatch(known -> known.text().equals(version) && known.era() == Era.LEGACY);
    }

    private static void refuse(Exchange exchange, int status, String why) {
        var failure = Failure.of(ErrorCode.INVALID_REQUEST, why);
        exchange.end(Ending.refused(status, error(exchange, failure)));
    }

    private static Response error(Exchange exchange, Failure failure) {
        Optional<Request> request =
                exchange.message().filter(Request.class::isInstance).map(Request.class::cast);
        return request.map(asked -> JsonRpcErrors.toResponse(asked.id(), failure, ""))
                .orElseGet(() -> JsonRpcErrors.toResponse(failure));
    }
}
