package io.mcpbridge.transport.unix;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ErrorText;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.files.OwnUser;
import io.mcpbridge.files.PrivateFolder;
import io.mcpbridge.files.ProcessLock;
import io.mcpbridge.files.UnixSocket;
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
import org.jspecify.annotations.Nullable;

/**
 * The binding of a listener to its path: a safe folder, a lock that claims the path, and the socket. For one thread at
 * a time.
 */
final class SocketBinding {
    private final Path path;
    private final int backlog;
    private @Nullable OwnUser own;
    private @Nullable ProcessLock lock;
    private @Nullable BoundSocket socket;

    SocketBinding(Path path, int backlog) {
        this.path = path;
        this.backlog = backlog;
    }

    /**
     * Checks the folder, or the place where it would be created. An I/O failure is left to {@link #take}, which reports
     * it.
     */
    void check() {
        try {
            folder(OwnUser.ofThisProcess()).check();
        } catch (IOException untold) {
            // Reported by take(), as a failure to listen.
        }
    }

    private PrivateFolder folder(OwnUser own) {
        var folder = Objects.requireNonNull(path.getParent(), "the path of a socket is absolute");
        return PrivateFolder.orShared(folder, "the folder of the socket", own);
    }

    /**
     * Prepares the folder, takes the lock and binds the socket; can be repeated after the socket or the lock was
     * removed.
     */
    ServerSocketChannel take() {
        try {
            return tryToTake();
        } catch (IOException failed) {
            var message = "Cannot listen on '%s': %s. Choose a path in a folder that you may write to."
                    .formatted(path, ErrorText.of(failed));
            throw TransportException.of(
                    Failure.of(ErrorCode.PROVIDER_INIT_FAILED, message).withCause(failed));
        }
    }

    OwnUser own() {
        return Objects.requireNonNull(own, "the path is bound");
    }

    /** The file at the path, as it is now. */
    PathState state() {
        return socket == null ? PathState.MISSING : socket.state();
    }

    /** Removes the socket from the path, so that no client connects any more; the lock stays. */
    void unlink() {
        if (socket != null) {
            socket.unlink();
            socket = null;
        }
    }

    /** Removes the socket and the lock. */
    void release() {
        unlink();
        if (lock != null) {
            lock.delete();
            lock = null;
        }
    }

    private ServerSocketChannel tryToTake() throws IOException {
        var known = OwnUser.ofThisProcess();
        own = known;
        folder(known).prepare();
        if (lock != null && !lock.isIntact()) {
            lock.close();
            lock = null;
        }
        if (lock == null) {
            lock = ProcessLock.take(lockFile(), "the lock of the socket", known, this::running);
        }
        try {
            var bound = BoundSocket.bind(path, backlog, known);
            socket = bound;
            return bound.channel();
        } catch (IOException | RuntimeException failed) {
            release();
            throw failed;
        }
    }

    private Path lockFile() {
        var name = String.valueOf(path.getFileName());
        return path.resolveSibling((name.endsWith(".sock") ? name.substring(0, name.length() - 5) : name) + ".lock");
    }

    private TransportException running(String pid) {
        return TransportException.initFailed(
                "Cannot listen on '%s': a bridge is already running, pid %s. Stop it, or choose another path."
                        .formatted(path, pid));
    }

    /** The state of the path of the socket. */
    enum PathState {
        OURS,
        MISSING,
        FOREIGN
    }

    /**
     * A socket that listens at its path. It is bound next to the path, with access for the bridge's user only, and then
     * moved there: no client sees it before it is ready, and a stale socket is replaced without a gap.
     */
    private static final class BoundSocket {
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
         * Binds the socket; the caller holds the lock.
         *
         * @throws ConfigurationException if the path is not free and has no stale socket of the bridge's user
         * @throws TransportException if another program listens there
         */
        static BoundSocket bind(Path path, int backlog, OwnUser own) throws IOException {
            requireFree(path, own);
            var beside = beside(path);
            requireFree(beside, own);
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

        /** The file at the path, as it is now. */
        PathState state() {
            try {
                return identity(path).equals(identity) ? PathState.OURS : PathState.FOREIGN;
            } catch (NoSuchFileException gone) {
                return PathState.MISSING;
            } catch (IOException unreadable) {
                return PathState.FOREIGN;
            }
        }

        /** Removes the socket from the path, if it is still there. */
        void unlink() {
            try {
                if (state() == PathState.OURS) {
                    Files.deleteIfExists(path);
                }
            } catch (IOException leftBehind) {
                // The next start replaces a stale socket.
            }
        }

        private static void requireFree(Path path, OwnUser own) throws IOException {
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                return;
            }
            var mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            if ((mode & TYPE) != SOCKET) {
                throw ConfigurationException.of(
                        "'%s' is %s, not a socket; remove it, or choose another path".formatted(path, kind(path)));
            }
            if (!own.owns(path)) {
                throw ConfigurationException.of(
                        "the socket '%s' belongs to '%s', not to '%s'; remove it, or choose another path"
                                .formatted(path, Files.getOwner(path), own.user()));
            }
            if (answers(path)) {
                throw TransportException.initFailed(
                        "Cannot listen on '%s': another program listens there. Stop it, or choose another path."
                                .formatted(path));
            }
        }

        private static boolean answers(Path path) throws IOException {
            try (var probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                // Non-blocking, since a full backlog would delay the start; it also proves that a program listens.
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
         * Uses every kind of channel once: their classes load at first use, and stay unusable if that fails because the
         * process has no file descriptors left.
         */
        private static void warmUp(Path path, ServerSocketChannel server) throws IOException {
            try (var client = SocketChannel.open(UnixDomainSocketAddress.of(path));
                    var accepted = server.accept()) {
                UnixSocket.peer(accepted);
                client.write(ByteBuffer.wrap(new byte[1]));
                accepted.read(ByteBuffer.allocate(1));
            }
        }

        /**
         * A hidden name in the same folder; no longer than the path itself where a longer one would exceed the limit.
         */
        private static Path beside(Path path) {
            var name = String.valueOf(path.getFileName());
            var longer = path.resolveSibling("." + name);
            return UnixSocket.isTooLong(longer) ? path.resolveSibling("." + name.substring(1)) : longer;
        }

        private static String kind(Path path) {
            if (Files.isSymbolicLink(path)) {
                return "a symbolic link";
            }
            return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) ? "a folder" : "a file";
        }

        private static Object identity(Path file) throws IOException {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return Objects.requireNonNull(attributes.fileKey(), "the file system identifies files");
        }
    }
}
