package io.mcpbridge.benchmarks;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * Copies bytes between clients and the socket of a server by one thread, and reads nothing into them: what a gateway
 * costs at least that is a process of its own.
 */
final class Relay {
    private final Path server;
    private final ServerSocketChannel front;
    private final Selector selector = Selector.open();
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(64 << 10);

    Relay(Path server, ServerSocketChannel front) throws IOException {
        this.server = server;
        this.front = front;
    }

    /** Runs until the process ends. */
    void run() throws IOException {
        front.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
        while (true) {
            selector.select(key -> {
                try {
                    pass(key);
                } catch (IOException gone) {
                    key.cancel();
                }
            });
        }
    }

    private void pass(SelectionKey key) throws IOException {
        if (!(key.attachment() instanceof SocketChannel other)) {
            join(front.accept(), SocketChannel.open(UnixDomainSocketAddress.of(server)));
            return;
        }
        if (((SocketChannel) key.channel()).read(bytes.clear()) < 0) {
            key.channel().close();
            other.close();
            return;
        }
        Payload.write(other, bytes.flip());
    }

    private void join(SocketChannel client, SocketChannel upstream) throws IOException {
        client.configureBlocking(false).register(selector, SelectionKey.OP_READ, upstream);
        upstream.configureBlocking(false).register(selector, SelectionKey.OP_READ, client);
    }
}
