package io.mcpbridge.transport.unix;

import io.mcpbridge.call.Deadline;
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

/** Connects to a socket within a deadline, and to nobody whom we cannot trust. */
final class Connecting {

    /** Where anybody may put a socket, so that only who listens there tells whether it is to be trusted. */
    private static final Path SHARED = Path.of("/tmp");

    private final Path path;
    private final Deadline deadline;

    Connecting(Path path, Deadline deadline) {
        this.path = path;
        this.deadline = deadline;
    }

    /** A connected channel in non-blocking mode. */
    SocketChannel connect() throws InterruptedException {
        SocketChannel channel = null;
        try {
            channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            connect(channel);
            if (isShared(path)) {
                requireTrusted(channel);
            }
            channel.configureBlocking(false);
            var connected = channel;
            channel = null;
            return connected;
        } catch (IOException failed) {
            throw TransportException.unreachable("unix:" + path, failed);
        } finally {
            if (channel != null) {
                Quietly.close(channel);
            }
        }
    }

    /** Also where a symbolic link leads there. */
    private static boolean isShared(Path path) throws IOException {
        return path.startsWith(SHARED) || path.toRealPath().startsWith(SHARED);
    }

    private void connect(SocketChannel channel) throws IOException, InterruptedException {
        // A full backlog keeps a connect waiting; closing the channel is what ends it.
        var alarm = deadline.alarm(() -> Quietly.close(channel));
        try {
            channel.connect(UnixDomainSocketAddress.of(path));
        } catch (ClosedByInterruptException interrupted) {
            // The flag is cleared because the exception says the same.
            Thread.interrupted();
            throw new InterruptedException("interrupted while connecting to unix:" + path);
        } catch (AsynchronousCloseException late) {
            throw timedOut();
        } finally {
            alarm.cancel();
        }
    }

    private void requireTrusted(SocketChannel channel) throws IOException {
        var listening = PeerCredentials.of(channel);
        var credentials = PeerCredentials.ofThisProcess();
        if (!credentials.isTrusted(listening)) {
            throw TransportException.initFailed(
                    "Cannot trust 'unix:%s': user '%s' listens there, but under /tmp it must be '%s' or root"
                            .formatted(
                                    path, listening.getName(), credentials.own().getName()));
        }
    }

    private TransportException timedOut() {
        return TransportException.of(Failure.of(
                ErrorCode.PROVIDER_TIMEOUT,
                "Cannot connect to 'unix:%s' within %d ms: its server accepts no connection"
                        .formatted(path, deadline.span().toMillis())));
    }
}
