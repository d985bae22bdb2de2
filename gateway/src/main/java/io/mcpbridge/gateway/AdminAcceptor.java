package io.mcpbridge.gateway;

import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Serves the read-only requests of operators on the administrative socket.
 *
 * <p>Accepts connections of our own user and root, by the peer credentials of the socket, and closes all others.
 *
 * @param clients receives the audit notes about rejected peers
 */
record AdminAcceptor(Daemon daemon, Acceptor clients, Path socket) implements Acceptor {
    private static final String PROOF = "peer-credentials";
    private static final String ROOT = "root";

    /** The path of the socket beside that of the clients; empty without a Unix listener. */
    static Optional<Path> path(List<URI> listeners) {
        return listeners.stream()
                .filter(address -> "unix".equals(address.getScheme()))
                .map(address -> DaemonClient.socketBeside(Path.of(address.getPath())))
                .findFirst();
    }

    @Override
    public Optional<Intake> connected(Peer peer) {
        if (isAllowed(peer.principal())) {
            return Optional.of(new Operator());
        }
        var reason = "only '%s' and root may use the administrative socket".formatted(ownName());
        note(new AuditNote(
                AuditNote.PEER_REFUSED,
                Map.of("peer", peer.address(), "user", peer.principal().name(), "reason", reason)));
        return Optional.empty();
    }

    @Override
    public void note(AuditNote note) {
        clients.note(note);
    }

    /**
     * Whether the user may connect. The listener has checked the user already; this check is a second line of defence.
     */
    private boolean isAllowed(Principal principal) {
        return principal.proof().equals(PROOF)
                && (principal.name().equals(ROOT) || principal.name().equals(ownName()));
    }

    private String ownName() {
        try {
            return Files.getOwner(socket, LinkOption.NOFOLLOW_LINKS).getName();
        } catch (IOException removed) {
            // Only root is accepted until the listener has created the socket again.
            return ROOT;
        }
    }

    private final class Operator implements Intake {

        @Override
        public void received(Exchange exchange) {
            if (exchange.kind() != Exchange.Kind.MESSAGE) {
                return;
            }
            if (exchange.message().orElse(null) instanceof Request request) {
                exchange.end(Ending.answer(answer(request)));
            } else {
                exchange.end(Ending.accepted());
            }
        }

        @Override
        public void closed() {}
    }

    private Response answer(Request request) {
        return switch (request.method()) {
            case Methods.PING -> Response.result(request.id(), "{}");
            case AdminJson.HEALTH -> Response.result(request.id(), AdminJson.write(daemon.health()));
            case AdminJson.SERVERS ->
                Response.result(request.id(), AdminJson.write(new AdminJson.Servers(daemon.servers())));
            case AdminJson.CLIENTS ->
                Response.result(request.id(), AdminJson.write(new AdminJson.Clients(daemon.clients())));
            default -> unknown(request);
        };
    }

    private static Response unknown(Request request) {
        var message = "unknown method '%s'; this socket answers %s, %s, %s and %s"
                .formatted(request.method(), Methods.PING, AdminJson.HEALTH, AdminJson.SERVERS, AdminJson.CLIENTS);
        return JsonRpcErrorMapper.toResponse(request.id(), Failure.of(ErrorCode.METHOD_NOT_FOUND, message), "");
    }
}
