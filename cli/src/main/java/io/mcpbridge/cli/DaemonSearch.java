package io.mcpbridge.cli;

import io.mcpbridge.config.ClientConfiguration;
import io.mcpbridge.failure.TransportException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** Looks whether a daemon listens, with a few tries, since a desktop may start its clients before the daemon. */
final class DaemonSearch {

    private DaemonSearch() {}

    /**
     * Waits until somebody listens.
     *
     * @throws TransportException if nobody does after as many tries as the file allows
     */
    static void await(Path socket, ClientConfiguration file) throws InterruptedException {
        var patience = new DaemonPatience(file);
        for (int number = 1; ; number++) {
            try {
                SocketChannel.open(UnixDomainSocketAddress.of(socket)).close();
                return;
            } catch (IOException nobody) {
                if (number >= patience.maxAttempts()) {
                    throw absent(socket, nobody);
                }
            }
            Thread.sleep(patience.pause(number + 1).toMillis());
        }
    }

    private static TransportException absent(Path socket, IOException cause) {
        return TransportException.unreachable(
                "unix:" + socket,
                new IOException(
                        cause.getMessage() + "; no daemon listens there, 'mcp-bridge serve' starts one", cause));
    }
}
