package io.mcpbridge.transport.unix;

import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.stream.LineConnection;
import io.mcpbridge.stream.LineContext;
import io.mcpbridge.stream.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** One client: carries bytes between its socket and its {@link LineConnection}. Any thread may end it. */
final class ClientSocket implements SocketConnection.Events, Wire {
    private final SocketConnection socket;
    private final LineConnection line;
    private final Doorman doorman;
    private volatile boolean heard;

    ClientSocket(SocketChannel channel, SocketLoop loop, Peer peer, LineContext context, Doorman doorman) {
        this.doorman = doorman;
        this.socket = new SocketConnection(channel, loop, context.environment().timekeeper(), this);
        this.line = new LineConnection(this, peer, context);
    }

    /** Shows the client to the bridge and begins to read, unless it is turned away. */
    void begin(Acceptor acceptor) {
        if (line.start(acceptor)) {
            socket.begin();
        }
    }

    /** Ends the connection if nothing was heard and nothing has come by now. */
    void endIfSilent(String why) {
        socket.readThen(() -> {
            if (!heard) {
                line.lost(why);
            }
        });
    }

    void end() {
        line.close();
    }

    Peer peer() {
        return line.peer();
    }

    @Override
    public void read(ByteBuffer bytes) {
        if (!heard) {
            heard = true;
            doorman.heard(this);
        }
        line.received(bytes);
    }

    @Override
    public void halfClosed() {
        line.halfClosed();
    }

    @Override
    public void lost(String why) {
        line.lost(why);
    }

    @Override
    public void writable() {
        line.writable();
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        socket.write(bytes);
    }

    @Override
    public void awaitWritable() {
        socket.awaitWritable();
    }

    @Override
    public void close() {
        socket.close();
        doorman.left(this);
    }
}
