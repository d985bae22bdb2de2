package io.mcpbridge.transport.unix;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.files.UnixSocket;
import io.mcpbridge.message.FrameSplitter;
import io.mcpbridge.message.FrameSplitter.Sink;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.stream.ServerLineConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A transport to a server over a Unix socket, one message per line. */
final class UnixTransport implements Transport {
    private final UnixTransportSettings settings;
    private final Environment environment;
    private final SocketEventLoopGroup loops;
    private final AtomicBoolean opened = new AtomicBoolean();
    private volatile boolean closed;
    private volatile @Nullable OpenConnection connection;

    UnixTransport(UnixTransportSettings settings, Environment environment, SocketEventLoopGroup loops) {
        this.settings = settings;
        this.environment = environment;
        this.loops = loops;
    }

    @Override
    public void open(Receiver receiver, Deadline deadline) throws InterruptedException {
        if (closed || !opened.compareAndSet(false, true)) {
            throw new IllegalStateException("a transport opens once, before it is closed; create another one");
        }
        var channel = connect(deadline);
        var connected = new OpenConnection(channel, receiver);
        // Set before reading starts: the receiver may send as soon as it receives a message.
        connection = connected;
        connected.begin();
        if (closed) {
            connected.end(Closed.byUs());
        }
    }

    @Override
    public void send(Outgoing out) {
        connected().lines.send(out);
    }

    @Override
    public boolean abandon(Outgoing out, String reason) {
        return connected().lines.abandon(out, reason);
    }

    @Override
    public TransportTraits traits() {
        return TransportTraits.of(TransportTraits.Shape.SHARED_STREAM, "unix", "unix:" + settings.path());
    }

    @Override
    public void close() {
        closed = true;
        var current = connection;
        if (current != null) {
            current.lines.endTurn();
            current.end(Closed.byUs());
        }
    }

    private OpenConnection connected() {
        var current = connection;
        if (current == null) {
            throw new IllegalStateException("the transport to unix:%s is not open".formatted(settings.path()));
        }
        return current;
    }

    /** Returns a connected channel in non-blocking mode. */
    private SocketChannel connect(Deadline deadline) throws InterruptedException {
        var channel = UnixSocket.connect(settings.path(), deadline);
        try {
            channel.configureBlocking(false);
            return channel;
        } catch (IOException failed) {
            UnixSocket.close(channel);
            throw TransportException.unreachable("unix:" + settings.path(), failed);
        }
    }

    /**
     * The connection while it is open; reports its end to the receiver once. Any thread may send, abandon and end; the event
     * loop delivers what arrives.
     */
    final class OpenConnection implements SocketConnection.Listener, ServerLineConnection.Owner {
        private final SocketConnection socket;
        private final ServerLineConnection lines;
        private final Limits limits;
        private final FrameSplitter frames;
        private final Sink sink = this::frame;

        /** Takes over a connected channel; nothing is read before {@link #begin}. */
        OpenConnection(SocketChannel channel, Receiver receiver) {
            this.limits = environment.limits().fromServers();
            this.frames = new FrameSplitter(limits);
            var loop = loops.acquire(environment.logger());
            this.socket = new SocketConnection(channel, loop, environment.timekeeper(), this);
            this.lines = new ServerLineConnection(socket, receiver, this);
        }

        /** Starts to read. */
        void begin() {
            socket.begin();
        }

        /** Ends the connection; only the first reason counts. */
        void end(Closed reason) {
            if (lines.finish()) {
                socket.close();
                lines.close(reason);
                loops.release();
            }
        }

        @Override
        public Optional<String> rejection(int messages, long bytes, int more) {
            if (messages >= settings.maxQueued()) {
                return Optional.of("the message is not sent: %d messages wait for the server, which is 'max-queued'"
                        .formatted(messages));
            }
            return bytes + more <= settings.maxQueuedBytes()
                    ? Optional.empty()
                    : Optional.of(
                            "the message is not sent: %d bytes wait for the server and %d more would exceed 'max-queued-bytes', %d"
                                    .formatted(bytes, more, settings.maxQueuedBytes()));
        }

        @Override
        public void broken(IOException cause) {
            end(Closed.disconnected("the connection to the server is lost: " + cause.getMessage())
                    .withCause(cause));
        }

        @Override
        public void read(ByteBuffer bytes) {
            try {
                frames.feed(bytes, sink);
            } catch (ProtocolException unreadable) {
                end(Closed.invalid("the stream of the server is unreadable: " + unreadable.getMessage()));
            }
        }

        private void frame(byte[] json) {
            Message message;
            try {
                message = Message.scan(json, limits);
            } catch (ProtocolException malformed) {
                lines.unreadable(malformed, Message.readableAnswerId(json, limits));
                return;
            }
            lines.message(message);
        }

        @Override
        public void halfClosed() {
            end(Closed.disconnected("the server closed the connection"));
        }

        @Override
        public void lost(String reason) {
            end(Closed.disconnected("the connection to the server is lost: " + reason));
        }

        @Override
        public void writable() {
            lines.writable();
        }
    }
}
