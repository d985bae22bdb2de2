package io.mcpbridge.transport.unix;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.TransportException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/**
 * A socket that listens at its path. It is bound beside it, closed to all others, and then moved there, so that
 * nobody sees it half made and a stale one is replaced without a gap.
 */
final class BoundSocket {
    private static final int TYPE = 0170000;
    private static final int SOCKET = 0140000;

    private final Path path;
    private final ServerSocketChannel channel;
    private final Object identity;

    private BoundSocket(Path path, ServerSocketChannel channel, Object identity) {
        this.path = path;
        this.channel = channel;
        this.identity = identity;
    }

    /**
     * Binds; only for the holder of the lock.
     *
     * @throws ConfigurationException if something is in the way that is not a stale socket of ours
     * @throws TransportException if somebody listens there
     */
    static BoundSocket bind(Path path, int backlog, PeerCredentials credentials) throws IOException {
        requireFree(path, credentials);
        var beside = beside(path);
        requireFree(beside, credentials);
        Files.deleteIfExists(beside);
        var channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.bind(UnixDomainSocketAddress.of(beside), backlog);
            Files.setPosixFilePermissions(beside, PosixFilePermissions.fromString("rw-------"));
            warmUp(beside, channel);
            var identity = identity(beside);
            Files.move(beside, path, StandardCopyOption.ATOMIC_MOVE);
            channel.configureBlocking(false);
            return new BoundSocket(path, channel, identity);
        } catch (IOException | RuntimeException failed) {
            channel.close();
            Files.deleteIfExists(beside);
            throw failed;
        }
    }

    ServerSocketChannel channel() {
        return channel;
    }

    /** Where the path leads now. */
    Place place() {
        try {
            return identity(path).equals(identity) ? Place.OURS : Place.ANOTHERS;
        } catch (NoSuchFileException gone) {
            return Place.GONE;
        } catch (IOException unreadable) {
            return Place.ANOTHERS;
        }
    }

    /** Removes the path if it still leads to this socket. */
    void unlink() {
        try {
            if (place() == Place.OURS) {
                Files.deleteIfExists(path);
            }
        } catch (IOException leftBehind) {
            // A stale socket does no harm: the next start replaces it.
        }
    }

    private static void requireFree(Path path, PeerCredentials credentials) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        var mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        if ((mode & TYPE) != SOCKET) {
            throw ConfigurationException.of(
                    "'%s' is %s, not a socket; remove it, or choose another path".formatted(path, kind(path)));
        }
        if (!credentials.owns(path)) {
            throw ConfigurationException.of(
                    "the socket '%s' belongs to '%s', not to '%s'; remove it, or choose another path"
                            .formatted(path, Files.getOwner(path), credentials.own()));
        }
        if (answers(path)) {
            throw TransportException.initFailed(
                    "Cannot listen on '%s': another program listens there. Stop it, or choose another path."
                            .formatted(path));
        }
    }

    private static boolean answers(Path path) throws IOException {
        try (var probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            // A full backlog must not keep the start waiting; it says as well that somebody listens.
            probe.configureBlocking(false);
            probe.connect(UnixDomainSocketAddress.of(path));
            return true;
        } catch (java.net.ConnectException refused) {
            return false;
        } catch (java.net.SocketException unclear) {
            return !Files.notExists(path);
        }
    }

    /**
     * Uses every kind of channel once. The classes behind them load with their first use, and if that happens
     * while the process has no descriptors left they are broken for good.
     */
    private static void warmUp(Path path, ServerSocketChannel server) throws IOException {
        try (var client = SocketChannel.open(UnixDomainSocketAddress.of(path));
                var accepted = server.accept()) {
            PeerCredentials.of(accepted);
            client.write(ByteBuffer.wrap(new byte[1]));
            accepted.read(ByteBuffer.allocate(1));
        }
    }

    /** A name in the same folder, as long as the final one where a longer would not do. */
    private static Path beside(Path path) {
        var name = String.valueOf(path.getFileName());
        var longer = path.resolveSibling("." + name);
        return SocketPath.length(longer) <= SocketPath.MAX_BYTES
                ? longer
                : path.resolveSibling("." + name.substring(1));
    }

    private static String kind(Path path) {
        if (Files.isSymbolicLink(path)) {
            return "a symbolic link";
        }
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) ? "a folder" : "a file";
    }

    private static Object identity(Path file) throws IOException {
        var attributes = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return Objects.requireNonNull(attributes.fileKey(), "the file system tells files apart");
    }

    /** What is at the path of a socket that was bound there. */
    enum Place {
        OURS,
        GONE,
        ANOTHERS
    }
}
