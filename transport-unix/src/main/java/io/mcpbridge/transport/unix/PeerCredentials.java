package io.mcpbridge.transport.unix;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;

/**
 * Who may be trusted at the other end of a Unix socket: our own user, and root, who can do everything anyway.
 *
 * <p>Users are compared as the system knows them, not by name, so one without a name is no special case.
 */
final class PeerCredentials {
    private static final String ROOT = "root";

    private final UserPrincipal own;
    private final UserPrincipal root;

    private PeerCredentials(UserPrincipal own, UserPrincipal root) {
        this.own = own;
        this.root = root;
    }

    /** Finds out who we are, which only a file of ours tells. */
    static PeerCredentials ofThisProcess() throws IOException {
        var probe = Files.createTempFile("mcp-bridge", ".user");
        try {
            var users = FileSystems.getDefault().getUserPrincipalLookupService();
            return new PeerCredentials(Files.getOwner(probe), users.lookupPrincipalByName(ROOT));
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    /** The user of the process that connected or, seen from the client, that listens. */
    static UserPrincipal of(SocketChannel channel) throws IOException {
        return channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
    }

    UserPrincipal own() {
        return own;
    }

    boolean isTrusted(UserPrincipal peer) {
        return peer.equals(own) || peer.equals(root);
    }

    boolean isRoot(UserPrincipal user) {
        return user.equals(root);
    }

    /** Whether the file itself, not what a link leads to, is ours. */
    boolean owns(Path file) throws IOException {
        return Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).equals(own);
    }
}
