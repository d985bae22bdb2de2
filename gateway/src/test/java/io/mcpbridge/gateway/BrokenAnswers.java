package io.mcpbridge.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.testkit.Script;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** A server on a Unix socket whose responses to calls are malformed. It accepts one connection. */
final class BrokenAnswers implements Closeable {
    private final ServerSocketChannel server;
    private final Script others;
    private final String members;

    /**
     * Listens.
     *
     * @param others handles requests other than calls
     * @param members the members of its responses beside version and id
     */
    BrokenAnswers(Path path, Script others, String members) throws IOException {
        this.others = others;
        this.members = members;
        this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path));
        var thread = new Thread(this::play, "test-broken-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void play() {
        try (var connection = server.accept();
                var lines = new BufferedReader(new InputStreamReader(Channels.newInputStream(connection), UTF_8))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                received(Message.scan(line.getBytes(UTF_8), Limits.CLIENT), connection);
            }
        } catch (IOException closed) {
            // The test has ended.
        }
    }

    private void received(Message message, SocketChannel connection) {
        if (message instanceof Request request && request.method().equals(Methods.TOOLS_CALL)) {
            write("{\"jsonrpc\":\"2.0\",\"id\":%s,%s}".formatted(request.id().raw(), members), connection);
        } else {
            others.received(message, new Lines(connection));
        }
    }

    private static void write(String line, SocketChannel connection) {
        var bytes = ByteBuffer.wrap((line + "\n").getBytes(UTF_8));
        try {
            while (bytes.hasRemaining()) {
                connection.write(bytes);
            }
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private record Lines(SocketChannel connection) implements Script.Wire {

        @Override
        public void send(Message message) {
            write(message.json(), connection);
        }

        @Override
        public void sendInPieces(Message message, int bytes) {
            send(message);
        }

        @Override
        public void cut() {
            throw new UnsupportedOperationException("these servers go on");
        }
    }
}
