package io.mcpbridge.transport.unix;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.stream.ByteSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A connected socket on an event loop: the loop reads, and any thread writes.
 *
 * <p>A peer that has only shut down its own direction differs from one that is gone: both end the stream, but the
 * system reports only the second as hung up. The JDK then sets every operation in the interest set of the key,
 * including {@code OP_CONNECT}, for which a connected channel is never ready otherwise.
 */
final class SocketConnection implements ByteSink, SocketEventLoop.Handler {
    private static final int MAX_READS_PER_TURN = 16;
    private static final int END_OF_STREAM = SelectionKey.OP_READ | SelectionKey.OP_CONNECT;
    private static final Duration RECHECK_INTERVAL = Duration.ofMillis(500);

    private final SocketChannel channel;
    private final SocketEventLoop loop;
    private final Timekeeper timekeeper;
    private final Listener listener;

    /** Used by the loop's thread alone, as are the two flags. */
    private @Nullable SelectionKey key;

    private boolean ended;
    private boolean halfCloseReported;

    /** @param channel connected and in non-blocking mode; this object closes it */
    SocketConnection(SocketChannel channel, SocketEventLoop loop, Timekeeper timekeeper, Listener listener) {
        this.channel = channel;
        this.loop = loop;
        this.timekeeper = timekeeper;
        this.listener = listener;
    }

    /** Starts to read. */
    void begin() {
        loop.execute(this::register);
    }

    /** Reads what has arrived, on the loop's thread, and then runs the task. */
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
        Closeables.closeQuietly(channel);
        // The loop releases the descriptor when it next processes its keys.
        loop.wakeUp();
        listener.closed();
    }

    @Override
    public void ready(SelectionKey ready) {
        int operations = ready.readyOps();
        if (ended && (operations & SelectionKey.OP_CONNECT) != 0) {
            listener.lost("the peer closed the connection");
            close();
            return;
        }
        if ((operations & SelectionKey.OP_WRITE) != 0) {
            ready.interestOpsAnd(~SelectionKey.OP_WRITE);
            listener.writable();
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
        listener.lost("internal error of the bridge: " + why);
        close();
    }

    private void register() {
        try {
            key = loop.register(channel, SelectionKey.OP_READ, this);
        } catch (ClosedChannelException closedBefore) {
            // The thread that closed it has reported that.
        } catch (IOException failed) {
            listener.lost("it cannot be registered: " + failed.getMessage());
            close();
        }
    }

    private void read(SelectionKey readable) {
        try {
            for (int i = 0; i < MAX_READS_PER_TURN; i++) {
                var buffer = loop.buffer();
                int read = channel.read(buffer);
                if (read < 0) {
                    ended = true;
                    readable.interestOps(readable.interestOps() | END_OF_STREAM);
                    return;
                }
                if (read > 0) {
                    listener.read(buffer.flip());
                }
                if (read < buffer.capacity()) {
                    return;
                }
            }
        } catch (ClosedChannelException closedByUs) {
            // The thread that closed it has reported that.
        } catch (IOException broken) {
            listener.lost("reading failed: " + broken.getMessage());
            close();
        }
    }

    /** Handles the end of the peer's output. The peer is still connected, and has to be polled to detect its end. */
    private void halfClosed(SelectionKey readable) {
        readable.interestOpsAnd(~END_OF_STREAM);
        timekeeper.schedule(RECHECK_INTERVAL, () -> loop.execute(() -> addInterest(END_OF_STREAM)));
        if (!halfCloseReported) {
            halfCloseReported = true;
            listener.halfClosed();
        }
    }

    private void addInterest(int operations) {
        if (key != null && key.isValid()) {
            key.interestOpsOr(operations);
        }
    }

    /** Receives the events of the connection, on the loop's thread except where stated otherwise; must not wait. */
    interface Listener {

        /** These bytes arrived; the listener reads all of them before it returns. */
        void read(ByteBuffer bytes);

        /** The peer sends nothing more; it may still read. */
        void halfClosed();

        /** The connection is broken, or the peer is gone. */
        void lost(String why);

        /** More can be written. */
        void writable();

        /** It was closed, on the thread that closed it; perhaps more than once. */
        default void closed() {}
    }
}
