package io.mcpbridge.transport.unix;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A process that connects and reports whether it was disconnected; uses the JDK alone. */
final class ConnectProgram {

    private ConnectProgram() {}

    public static void main(String[] arguments) throws IOException {
        try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(arguments[0]))) {
            System.out.println(ended(channel) ? "closed" : "served");
        }
    }

    private static boolean ended(SocketChannel channel) {
        try {
            channel.write(ByteBuffer.wrap("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n".getBytes(UTF_8)));
            return channel.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException reset) {
            return true;
        }
    }
}
