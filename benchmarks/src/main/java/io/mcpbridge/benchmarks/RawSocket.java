package io.mcpbridge.benchmarks;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Exchanges lines over a socket. Not thread-safe. */
final class RawSocket implements SocketCaller {
    private static final byte[] RESULT = EchoCall.bytes("\"result\"");
    private static final byte[] NOTIFICATION = EchoCall.bytes("\"notifications/");

    private final SocketAddress address;
    private final EchoCall call;
    private SocketChannel channel;
    private ByteBuffer answer = ByteBuffer.allocate(64 << 10);

    private RawSocket(SocketAddress address, EchoCall call) throws IOException {
        this.address = address;
        this.call = call.framed("", "\n");
        this.channel = connect();
    }

    /** Clients of their own that send to a peer that repeats all bytes. */
    static List<RawSocket> repeating(SocketAddress address, int count) throws IOException {
        var clients = new ArrayList<RawSocket>();
        while (clients.size() < count) {
            clients.add(new RawSocket(address, EchoCall.of("echo", "text")));
        }
        return clients;
    }

    /** Waits only for the answer of {@code initialize}. */
    static RawSocket open(Path socket, EchoCall call) throws IOException {
        var client = new RawSocket(UnixDomainSocketAddress.of(socket), call);
        client.initialize();
        return client;
    }

    /** Calls a tool of a {@link Peer}. */
    static RawSocket calling(Path socket, String tool) throws IOException {
        return calling(socket, EchoCall.of(tool, "text"));
    }

    static RawSocket calling(Path socket, EchoCall call) throws IOException {
        return Session.confirmed(open(socket, call));
    }

    /** Clients of their own that call a tool of a {@link Peer}. */
    static List<RawSocket> calling(Path socket, String tool, int count) throws IOException {
        var clients = new ArrayList<RawSocket>();
        while (clients.size() < count) {
            clients.add(calling(socket, tool));
        }
        return clients;
    }

    /** Opens a session and makes no calls. */
    static RawSocket idle(Path socket) throws IOException {
        var client = calling(socket, "echo");
        client.answer = ByteBuffer.allocate(0);
        return client;
    }

    private SocketChannel connect() throws IOException {
        return SocketChannel.open(address);
    }

    private void initialize() throws IOException {
        answer.clear();
        Payload.write(channel, Payload.INITIALIZE);
        var unused = receive(() -> EchoCall.isNear(answer.array(), answer.position(), RESULT));
    }

    @Override
    public void confirm() throws IOException {
        Payload.write(channel, Payload.INITIALIZED);
    }

    @Override
    public SocketChannel channel() {
        return channel;
    }

    @Override
    public void send() throws IOException {
        answer.clear();
        Payload.write(channel, call.next());
    }

    @Override
    public boolean receive() throws IOException {
        return receive(() -> call.isAnsweredBy(answer.array(), answer.position()));
    }

    @Override
    public void reconnect() throws IOException {
        channel.close();
        channel = connect();
        initialize();
        confirm();
    }

    /** Reads lines, notifications among them, up to the answer, or to what has arrived. */
    private boolean receive(BooleanSupplier isAnswer) throws IOException {
        while (true) {
            if (!answer.hasRemaining()) {
                answer = ByteBuffer.allocate(2 * answer.capacity()).put(answer.flip());
            }
            int count = channel.read(answer);
            if (count < 0) {
                throw new EOFException("the peer ended the connection");
            }
            if (count == 0) {
                return false;
            }
            if (answer.get(answer.position() - 1) == '\n') {
                if (isAnswer.getAsBoolean()) {
                    return true;
                }
                if (!EchoCall.isNear(answer.array(), answer.position(), NOTIFICATION)) {
                    throw new IOException("the answer is " + ISO_8859_1.decode(answer.flip()));
                }
                answer.clear();
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
