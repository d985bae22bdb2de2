package io.mcpbridge.transport.unix;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.stream.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A connected socket on a loop: reads there, and writes wherever somebody has something to write.
 *
 * <p>Tells a peer that has only ended its own direction from one that is gone: both end the stream, but only
 * the latter is reported by the system as hung up. The JDK shows that by setting every operation that the key is
 * interested in, {@code OP_CONNECT} included, which a connected channel is otherwise never ready for.
 */
final class SocketConnection implements Wire, SocketLoop.Ready {
    private static final int READS_IN_TURN = 16;
    private static final int END_OF_STREAM = SelectionKey.OP_READ | SelectionKey.OP_CONNECT;
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    private final SocketChannel channel;
    private final SocketLoop loop;
    private final Timekeeper timekeeper;
    private final Events events;

    /** Only for the loop's thread. */
    private @Nullable SelectionKey key;

    private boolean ended;
    private boolean halfCloseTold;

    /** @param channel connected and in non-blocking mode; this object closes it */
    SocketConnection(SocketChannel channel, SocketLoop loop, Timekeeper timekeeper, Events events) {
        this.channel = channel;
        this.loop = loop;
        this.timekeeper = timekeeper;
        this.events = events;
    }

    /** Begins to read. */
    void begin() {
        loop.execute(this::register);
    }

    /** Reads on the loop's thread what is there, as if the system had told so, and then runs the task. */
    void readThen(Runnable task) {
        loop.execute(() -> {
            if (key != null && !ended) {
                read(key);
            }
            task.run();
        });
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        channel.write(bytes);
    }

    @Override
    public void awaitWritable() {
        loop.execute(() -> addInterest(SelectionKey.OP_WRITE));
    }

    @Override
    public void close() {
        Quietly.close(channel);
        // The system's descriptor goes only when the loop has looked at its keys.
        loop.wakeUp();
    }

    @Override
    public void ready(SelectionKey ready) {
        int operations = ready.readyOps();
        if (ended && (operations & SelectionKey.OP_CONNECT) != 0) {
            events.lost("the peer closed the connection");
            close();
            return;
        }
        if ((operations & SelectionKey.OP_WRITE) != 0) {
            ready.interestOpsAnd(~SelectionKey.OP_WRITE);
            events.writable();
        }
        if ((operations & SelectionKey.OP_READ) != 0 && ready.isValid()) {
            if (ended) {
                halfClosed(ready);
            } else {
                read(ready);
            }
        }
    }

    @Override
    public void failed(Throwable why) {
        events.lost("a fault in the bridge: " + why);
        close();
    }

    private void register() {
        try {
            key = loop.register(channel, SelectionKey.OP_READ, this);
        } catch (ClosedChannelException closedBefore) {
            // Whoever closed it has told already.
        } catch (IOException failed) {
            events.lost("it cannot be watched: " + failed.getMessage());
            close();
        }
    }

    private void read(SelectionKey readable) {
        try {
            for (int i = 0; i < READS_IN_TURN; i++) {
                var buffer = loop.buffer();
                int read = channel.read(buffer);
                if (read < 0) {
                    ended = true;
                    readable.interestOps(readable.interestOps() | END_OF_STREAM);
                    return;
                }
                if (read > 0) {
                    events.read(buffer.flip());
                }
                if (read < buffer.capacity()) {
                    return;
                }
            }
        } catch (ClosedChannelException closedByUs) {
            // Whoever closed it has told already.
        } catch (IOException broken) {
            events.lost("reading failed: " + broken.getMessage());
            close();
        }
    }

    /** The peer sends nothing more but is there; whether it still is has to be asked from time to time. */
    private void halfClosed(SelectionKey readable) {
        readable.interestOpsAnd(~END_OF_STREAM);
        timekeeper.schedule(LOOK_AGAIN, () -> loop.execute(() -> addInterest(END_OF_STREAM)));
        if (!halfCloseTold) {
            halfCloseTold = true;
            events.halfClosed();
        }
    }

    private void addInterest(int operations) {
        if (key != null && key.isValid()) {
            key.interestOpsOr(operations);
        }
    }

    /** Hears what happens to the connection, on the loop's thread; none of it may wait. */
    interface Events {

        /** These bytes came; they have to be read before this returns. */
        void read(ByteBuffer bytes);

        /** The peer sends nothing more; it may still read. */
        void halfClosed();

        /** The connection is broken, or the peer is gone. */
        void lost(String why);

        /** More can be written. */
        void writable();
    }
}
