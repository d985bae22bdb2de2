package io.mcpbridge.transport.http.listener;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.spi.ByteBudget;
import io.mcpbridge.transport.http.internal.SharedEventLoopGroup;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // how a shutdown ends is what the client reads
class ResponseWriteQueueTest {

    @Test
    void connectionClosesBehindTheRestOfAResponse() throws Exception {
        var response = ResponseEncoder.text("x".repeat(10_000));
        try (var loops = new SharedEventLoopGroup("test").lease();
                var timekeeper = new SystemTimekeeper();
                var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var socket = SocketChannel.open(server.getLocalSocketAddress());
                var client = server.accept()) {
            socket.configureBlocking(false);
            var channel = new NearlyFullSocket(socket);
            loops.next().register(channel).sync();
            var queue = new ResponseWriteQueue(channel, timekeeper, 1 << 20, ByteBudget.of(1 << 20));

            assertThat(queue.writeNow(response, channel::shutdownOutput)).isFalse();

            assertThat(new String(client.getInputStream().readAllBytes(), US_ASCII))
                    .isEqualTo("2710\r\n" + "x".repeat(10_000) + "\r\n");
        }
    }

    /** Accepts a few bytes on the thread of a response, as a socket does whose client reads slowly. */
    private static final class NearlyFullSocket extends ClientSocket {
        private NearlyFullSocket(SocketChannel socket) {
            super(null, socket);
        }

        @Override
        void writeNow(ByteBuf bytes) throws IOException {
            var unused = bytes.readBytes(javaChannel(), 10);
        }
    }
}
