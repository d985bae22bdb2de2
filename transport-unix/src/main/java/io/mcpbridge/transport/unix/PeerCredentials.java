package io.mcpbridge.transport.unix;

import io.mcpbridge.files.OwnUser;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;

/**
 * Trust in the peer of a Unix socket: only our own user is trusted, and root, who may do everything.
 *
 * <p>Users are compared as the system identifies them, not by name, so a user without a name needs no special case.
 */
final class PeerCredentials {
    private final OwnUser own;

    private PeerCredentials(OwnUser own) {
        this.own = own;
    }

    /** Finds our user. */
    static PeerCredentials ofThisProcess() throws IOException {
        return new PeerCredentials(OwnUser.ofThisProcess());
    }

    /** The user of the process at the other end: the one that connected or, on the client side, that listens. */
    static UserPrincipal of(SocketChannel channel) throws IOException {
        return channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
    }

    /** Our user for the file system. */
    OwnUser ownUser() {
        return own;
    }

    UserPrincipal own() {
        return own.user();
    }

    boolean isTrusted(UserPrincipal peer) {
        return own.is(peer) || own.isRoot(peer);
    }

    /** Whether our user owns the file; a symbolic link is not followed. */
    boolean owns(Path file) throws IOException {
        return own.owns(file);
    }
}
