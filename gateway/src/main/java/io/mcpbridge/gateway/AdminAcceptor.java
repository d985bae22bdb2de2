package io.mcpbridge.gateway;

import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.Ending;
import io.mcpbridge.spi.Exchange;
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
 * Answers operators on the administrative socket. There is nothing here that starts or changes anything.
 *
 * <p>Lets in our own user and root, as the system vouches for them; whatever else connects is closed at once.
 */
final class AdminAcceptor implements Acceptor {
    private static final String PROOF = "peer-credentials";
    private static final String ROOT = "root";

    private final Daemon daemon;
    private final Acceptor clients;
    private final Path socket;

    /**
     * Makes the acceptor of one socket.
     *
     * @param clients who keeps a record of what is turned away, here as there
     */
    AdminAcceptor(Daemon daemon, Acceptor clients, Path socket) {
        this.daemon = daemon;
        this.clients = clients;
        this.socket = socket;
    }

    /** Where the socket goes: where the options say, else beside that of the clients, else nowhere. */
    static Optional<Path> place(DaemonOptions options, List<URI> listeners) {
        return options.adminSocket()
                .or(() -> listeners.stream()
                        .filter(address -> "unix".equals(address.getScheme()))
                        .map(address -> AdminSocket.beside(Path.of(address.getPath())))
                        .findFirst());
    }

    @Override
    public Optional<Intake> connected(Peer peer) {
        if (mayAsk(peer.principal())) {
            return Optional.of(new Operator());
        }
        var reason = "only '%s' and root may ask at the administrative socket".formatted(ownName());
        note(new AuditNote(
                AuditNote.PEER_REFUSED,
                Map.of("peer", peer.address(), "user", peer.principal().name(), "reason", reason)));
        return Optional.empty();
    }

    @Override
    public void note(AuditNote note) {
        clients.note(note);
    }

    /** The listener has compared the users already; a second look costs little where a mistake would cost much. */
    private boolean mayAsk(Principal principal) {
        return principal.proof().equals(PROOF)
                && (principal.name().equals(ROOT) || principal.name().equals(ownName()));
    }

    private String ownName() {
        try {
            return Files.getOwner(socket, LinkOption.NOFOLLOW_LINKS).getName();
        } catch (IOException removed) {
            // Then only root gets in until the listener has made the socket again.
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
            case AdminWriting.HEALTH -> Response.result(request.id(), AdminWriting.health(daemon.health()));
            case AdminWriting.SERVERS -> Response.result(request.id(), AdminWriting.servers(daemon.servers()));
            case AdminWriting.CLIENTS -> Response.result(request.id(), AdminWriting.clients(daemon.clients()));
            default -> unknown(request);
        };
    }

    private static Response unknown(Request request) {
        var message = "unknown method '%s'; this socket answers %s, %s, %s and %s"
                .formatted(
                        request.method(),
                        Methods.PING,
                        AdminWriting.HEALTH,
                        AdminWriting.SERVERS,
                        AdminWriting.CLIENTS);
        return JsonRpcErrors.toResponse(request.id(), Failure.of(ErrorCode.METHOD_NOT_FOUND, message), "");
    }
}
