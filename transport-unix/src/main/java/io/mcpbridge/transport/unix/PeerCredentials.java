package io.mcpbridge.transport.unix;

import io.mcpbridge.files.OwnUser;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;

/**
 * Who may be trusted at the other end of a Unix socket: our own user, and root, who can do everything anyway.
 *
 * <p>Users are compared as the system knows them, not by name, so one without a name is no special case.
 */
final class PeerCredentials {
    private final OwnUser own;

    private PeerCredentials(OwnUser own) {
        this.own = own;
    }

    /** Finds out who we are. */
    static PeerCredentials ofThisProcess() throws IOException {
        return new PeerCredentials(OwnUser.ofThisProcess());
    }

    /** The user of the process that connected or, seen from the client, that listens. */
    static UserPrincipal of(SocketChannel channel) throws IOException {
        return channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
    }

    /** The user that we are for the file system. */
    OwnUser ownUser() {
        return own;
    }

    UserPrincipal own() {
        return own.user();
    }

    boolean isTrusted(UserPrincipal peer) {
        return own.is(peer) || own.isRoot(peer);
    }

    /** Whether the file itself, not what a link leads to, is ours. */
    boolean owns(Path file) throws IOException {
        return own.owns(file);
    }
}
