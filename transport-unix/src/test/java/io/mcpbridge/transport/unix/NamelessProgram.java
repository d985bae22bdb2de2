package io.mcpbridge.transport.unix;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Peer;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A process that connects to its own socket and prints the user; uses our own classes alone. */
final class NamelessProgram {

    private NamelessProgram() {}

    public static void main(String[] arguments) throws IOException {
        var path = Path.of(arguments[0]);
        List<Peer> peers = new CopyOnWriteArrayList<>();
        var echo = new EchoAcceptor();
        try (var clock = new SystemTimekeeper();
                var launcher = new PlainProcessLauncher();
                var listener = new UnixListener(
                        UnixListenerSettings.of(path), Environment.of(clock, Runnable::run, launcher))) {
            listener.start(peer -> {
                peers.add(peer);
                return echo.connected(peer);
            });
            try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
                channel.write(ByteBuffer.wrap("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n".getBytes(UTF_8)));
                var served = channel.read(ByteBuffer.allocate(1)) == 1;
                System.out.println((served ? "served " : "hung up on ")
                        + peers.get(0).principal().name());
            }
        }
        System.exit(0);
    }
}
