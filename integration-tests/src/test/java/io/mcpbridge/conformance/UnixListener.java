package io.mcpbridge.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/** Serves each connection to a Unix socket by a server of its own, as if they were its standard streams. */
final class UnixListener implements AutoCloseable {
    private final ServerSocketChannel listening;
    private final BiConsumer<InputStream, OutputStream> server;
    private final List<SocketChannel> connections = new CopyOnWriteArrayList<>();

    private UnixListener(ServerSocketChannel listening, BiConsumer<InputStream, OutputStream> server) {
        this.listening = listening;
        this.server = server;
    }

    static UnixListener start(Path path, BiConsumer<InputStream, OutputStream> server) {
        try {
            var listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            listening.bind(UnixDomainSocketAddress.of(path));
            var listener = new UnixListener(listening, server);
            new Thread(listener::accept, "unix-fixture").start();
            return listener;
        } catch (IOException cannotListen) {
            throw new UncheckedIOException(cannotListen);
        }
    }

    private void accept() {
        try {
            while (listening.isOpen()) {
                var connection = listening.accept();
                connections.add(connection);
                server.accept(new Input(connection), new Output(connection));
            }
        } catch (IOException closed) {
            // That is how it ends.
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
            for (var connection : connections) {
                connection.close();
            }
        } catch (IOException cannotClose) {
            throw new UncheckedIOException(cannotClose);
        }
    }

    /** Unlike the streams of {@code Channels}, these two do not lock each other out in Java 17. */
    private static final class Input extends InputStream {
        private final SocketChannel connection;

        private Input(SocketChannel connection) {
            this.connection = connection;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return connection.read(ByteBuffer.wrap(bytes, offset, length));
        }

        @Override
        public void close() throws IOException {
            connection.close();
        }
    }

    /** What a server writes. */
    private static final class Output extends OutputStream {
        private final SocketChannel connection;

        private Output(SocketChannel connection) {
            this.connection = connection;
        }

        @Override
        public void write(int oneByte) throws IOException {
            write(new byte[] {(byte) oneByte}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            var rest = ByteBuffer.wrap(bytes, offset, length);
            while (rest.hasRemaining()) {
                connection.write(rest);
            }
        }
    }
}
