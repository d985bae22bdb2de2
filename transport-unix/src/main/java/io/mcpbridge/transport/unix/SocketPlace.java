package io.mcpbridge.transport.unix;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.files.OwnUser;
import io.mcpbridge.files.PrivateFolder;
import io.mcpbridge.files.ProcessLock;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The path where a listener is found: a safe folder, a lock that claims it, and the socket. For one thread at a
 * time.
 */
final class SocketPlace {
    private final Path path;
    private final int backlog;
    private @Nullable PeerCredentials credentials;
    private @Nullable ProcessLock lock;
    private @Nullable BoundSocket socket;

    SocketPlace(Path path, int backlog) {
        this.path = path;
        this.backlog = backlog;
    }

    /** Checks the folder, or where it would be made; that it cannot be looked at is told by who takes it. */
    void check() {
        try {
            folder(OwnUser.ofThisProcess()).checkOrShare();
        } catch (IOException untold) {
            // To take the place tells it as what it is, a place that cannot be had.
        }
    }

    private PrivateFolder folder(OwnUser own) {
        var folder = Objects.requireNonNull(path.getParent(), "a socket's path is absolute");
        return PrivateFolder.of(folder, "the folder of the socket", own);
    }

    /** Prepares the folder, claims the path and binds; also when some of it is lost and has to be made again. */
    ServerSocketChannel take() {
        try {
            return tryToTake();
        } catch (IOException failed) {
            var message = "Cannot listen on '%s': %s (%s). Choose a path in a folder that you may write to."
                    .formatted(path, failed.getMessage(), failed.getClass().getSimpleName());
            throw TransportException.of(
                    Failure.of(ErrorCode.PROVIDER_INIT_FAILED, message).withCause(failed));
        }
    }

    PeerCredentials credentials() {
        return Objects.requireNonNull(credentials, "the place is taken");
    }

    /** Where the path leads now. */
    BoundSocket.Place state() {
        return socket == null ? BoundSocket.Place.GONE : socket.place();
    }

    /** Makes the path lead nowhere, so that nobody new comes; the claim stays. */
    void unlink() {
        if (socket != null) {
            socket.unlink();
            socket = null;
        }
    }

    /** Gives everything up. */
    void release() {
        unlink();
        if (lock != null) {
            lock.close();
            lock = null;
        }
    }

    private ServerSocketChannel tryToTake() throws IOException {
        var known = PeerCredentials.ofThisProcess();
        credentials = known;
        folder(known.ownUser()).prepareOrShare();
        if (lock != null && !lock.isIntact()) {
            lock.close();
            lock = null;
        }
        if (lock == null) {
            lock = ProcessLock.take(lockFile(), "the lock of the socket", known.ownUser(), this::running);
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
}
