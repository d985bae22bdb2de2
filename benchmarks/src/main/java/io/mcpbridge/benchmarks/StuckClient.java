package io.mcpbridge.benchmarks;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** A client that never reads its responses, so that most of them are queued in the daemon. */
final class StuckClient implements Closeable {
    /** Less in total than the queue limit of a client, which would end its connection. */
    private static final int CALLS = 200;

    private static final int TEXT = 32 << 10;

    private final SocketChannel channel;

    private StuckClient(SocketChannel channel) {
        this.channel = channel;
    }

    /** Connects, calls, and reads nothing. */
    static StuckClient at(Path socket, String tool) throws IOException {
        var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket));
        var client = new StuckClient(channel);
        Payload.write(client.channel, Payload.INITIALIZE);
        Payload.write(client.channel, Payload.INITIALIZED);
        for (int i = 0; i < CALLS; i++) {
            Payload.write(
                    client.channel,
                    Payload.call(tool, "x".repeat(TEXT)).replaceFirst("\"id\":[^,]+", "\"id\":" + (1_000 + i)));
        }
        // The server answers in order: after this response, those of the stuck client are queued in the daemon.
        try (var behind = RawSocket.calling(socket, tool, Payload.TEXT)) {
            behind.call();
        }
        return client;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
