package io.mcpbridge.cli.relay;

import io.mcpbridge.failure.TransportException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Looks whether a daemon listens, with a few tries, since a desktop may start its clients before the daemon. */
final class DaemonSearch {

    private DaemonSearch() {}

    /**
     * Waits until somebody listens.
     *
     * @param remark hears at once if it has to wait
     * @throws TransportException if nobody does after as many tries as {@code patience} has
     */
    static void await(Path socket, Patience patience, Consumer<String> remark) throws InterruptedException {
        for (int number = 1; ; number++) {
            try {
                SocketChannel.open(UnixDomainSocketAddress.of(socket)).close();
                return;
            } catch (IOException nobody) {
                if (number >= patience.tries()) {
                    throw absent(socket, nobody);
                }
            }
            if (number == 1) {
                remark.accept("no daemon listens at '%s' yet; waiting for it for up to %d s"
                        .formatted(socket, Math.max(1, patience.total().toSeconds())));
            }
            Thread.sleep(patience.pause(number).toMillis());
        }
    }

    private static TransportException absent(Path socket, IOException cause) {
        return TransportException.unreachable(
                "unix:" + socket,
                new IOException(
                        cause.getMessage() + "; no daemon listens there, 'mcp-bridge serve' starts one", cause));
    }
}
