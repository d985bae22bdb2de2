package io.mcpbridge.transport.unix;

import io.mcpbridge.files.OwnUser;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;

/**
 * Decides whether to trust the peer of a Unix socket: only the bridge's user is trusted, and root, who may do
 * everything.
 *
 * <p>Users are compared as the system identifies them, not by name, so a user without a name needs no special case.
 */
final class PeerCheck {

    private PeerCheck() {}

    /** The user of the process at the other end: the one that connected or, on the client side, that listens. */
    static UserPrincipal of(SocketChannel channel) throws IOException {
        return channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
    }

    static boolean isTrusted(UserPrincipal peer, OwnUser own) {
        return own.is(peer) || own.isRoot(peer);
    }
}
