package io.mcpbridge.transport.http.listener;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The socket of a client, to which the thread that has a response can write without its event loop. */
class ClientSocket extends NioSocketChannel {

    ClientSocket(@Nullable Channel parent, SocketChannel socket) {
        super(parent, socket);
    }

    /** Writes what the socket accepts at once; to be called only while the event loop has nothing to write. */
    void writeNow(ByteBuf bytes) throws IOException {
        var unused = bytes.readBytes(javaChannel(), bytes.readableBytes());
    }

    /** Accepts the sockets of clients. */
    static final class Server extends NioServerSocketChannel {

        Server(ServerSocketChannel bound) {
            super(bound);
        }

        @Override
        protected int doReadMessages(List<Object> accepted) throws IOException {
            var socket = javaChannel().accept();
            if (socket == null) {
                return 0;
            }
            try {
                return accepted.add(new ClientSocket(this, socket)) ? 1 : 0;
            } catch (RuntimeException failed) {
                // A failure that escapes would close the listener.
                socket.close();
                return 0;
            }
        }
    }
}
