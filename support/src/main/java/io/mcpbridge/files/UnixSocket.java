package io.mcpbridge.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;

/**
 * Connects to Unix sockets, and decides whether to trust their peers: only the bridge's user is trusted, and root, who
 * may do everything.
 *
 * <p>Users are compared as the system identifies them, not by name, so a user without a name needs no special case.
 */
public final class UnixSocket {

    /** The longest path in bytes that the system accepts: its field has 108 bytes, and Java uses all but two. */
    private static final int MAX_PATH_BYTES = 106;

    private static final Path SHARED_FOLDER = Path.of("/tmp");

    private UnixSocket() {}

    /**
     * Returns the path if the system accepts it for a socket.
     *
     * @throws ConfigurationException if it is too long or a root folder
     */
    public static Path checked(Path path) {
        if (isTooLong(path)) {
            throw ConfigurationException.of(
                    "the path of the socket '%s' has %d bytes but must have at most %d; choose a shorter one"
                            .formatted(path, length(path), MAX_PATH_BYTES));
        }
        if (path.getFileName() == null) {
            throw ConfigurationException.of("'%s' is a directory; name a file in it".formatted(path));
        }
        return path;
    }

    /** Whether the path is longer than the system accepts. */
    public static boolean isTooLong(Path path) {
        return length(path) > MAX_PATH_BYTES;
    }

    private static int length(Path path) {
        return path.toString().getBytes(UTF_8).length;
    }

    /**
     * Connects, and returns the channel in blocking mode. Below {@code /tmp}, where every user may create a socket, only
     * a server of the bridge's user or of root is accepted.
     *
     * @throws TransportException if no server listens there, it accepts no connection before the deadline, or it is not
     *     trusted
     */
    public static SocketChannel connect(Path path, Deadline deadline) throws InterruptedException {
        SocketChannel channel = null;
        try {
            channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            connect(channel, path, deadline);
            if (isShared(path)) {
                requireTrustedServer(channel, path);
            }
            var connected = channel;
            channel = null;
            return connected;
        } catch (IOException failed) {
            throw TransportException.unreachable("unix:" + path, failed);
        } finally {
            if (channel != null) {
                close(channel);
            }
        }
    }

    private static void connect(SocketChannel channel, Path path, Deadline deadline)
            throws IOException, InterruptedException {
        // A connect waits while the backlog of the server is full; closing the channel ends it.
        var alarm = deadline.alarm(() -> close(channel));
        try {
            channel.connect(UnixDomainSocketAddress.of(path));
        } catch (ClosedByInterruptException interrupted) {
            // The exception that follows replaces the flag.
            Thread.interrupted();
            throw new InterruptedException("interrupted while connecting to unix:" + path);
        } catch (AsynchronousCloseException late) {
            throw TransportException.of(Failure.of(
                    ErrorCode.PROVIDER_TIMEOUT,
                    "Cannot connect to 'unix:%s' within %d ms: its server accepts no connection"
                            .formatted(path, deadline.span().toMillis())));
        } finally {
            alarm.cancel();
        }
    }

    /** Whether the socket is below the shared folder, also by a symbolic link. */
    private static boolean isShared(Path path) throws IOException {
        return path.startsWith(SHARED_FOLDER) || path.toRealPath().startsWith(SHARED_FOLDER);
    }

    private static void requireTrustedServer(SocketChannel channel, Path path) throws IOException {
        var listening = peer(channel);
        var own = OwnUser.ofThisProcess();
        if (!isTrusted(listening, own)) {
            throw TransportException.initFailed(
                    "Cannot trust 'unix:%s': user '%s' listens there, but under /tmp it must be '%s' or root"
                            .formatted(path, listening.getName(), own.user().getName()));
        }
    }

    /** Closes a channel where a failure does not matter: its descriptor is released in any case. */
    public static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException ignored) {
            // As above.
        }
    }

    /** The user of the process at the other end: the one that connected or, on the client side, that listens. */
    public static UserPrincipal peer(SocketChannel channel) throws IOException {
        return channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
    }

    /** Whether a peer is the user of this process, or root. */
    public static boolean isTrusted(UserPrincipal peer, OwnUser own) {
        return own.is(peer) || own.isRoot(peer);
    }
}
