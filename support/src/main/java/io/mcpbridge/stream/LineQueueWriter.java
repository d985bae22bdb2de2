package io.mcpbridge.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes the messages of a queue as lines to a {@link ByteSink}, by one thread at a time and without waiting.
 *
 * <p>The thread that calls {@link #writeQueued} writes, unless another thread is writing already. When the sink is full, the
 * rest is written when the sink calls {@link #flush}. Any thread may use it.
 */
final class LineQueueWriter {

    /** The longest piece: the JDK copies a piece to native memory in one step, and caches a buffer of that size. */
    static final int PIECE = 64 * 1024;

    /** How many pieces a thread writes before it leaves the rest to the thread of the sink. */
    private static final int PIECES_PER_TURN = 64;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final ByteSink sink;
    private final Source source;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private State state = State.IDLE;

    /** Whether a message was added since the writing thread last asked the source. */
    @GuardedBy("lock")
    private boolean added;

    /** The rest of the current message; used by the writing thread alone, as is {@code piece}. */
    private ByteBuffer message = NOTHING;

    private ByteBuffer piece = NOTHING;

    LineQueueWriter(ByteSink sink, Source source) {
        this.sink = sink;
        this.source = source;
    }

    /**
     * Writes the messages of the source. Called after each message that was added to the source, without a lock.
     *
     * @return false if another thread is writing or the sink was full before: then the message is written later
     */
    boolean writeQueued() {
        lock.lock();
        try {
            if (state != State.IDLE) {
                added = true;
                return false;
            }
            state = State.WRITING;
        } finally {
            lock.unlock();
        }
        write();
        return true;
    }

    /** Continues after {@link ByteSink#awaitWritable}; at any other time it does nothing. */
    void flush() {
        lock.lock();
        try {
            if (state != State.AWAITING_WIRE) {
                return;
            }
            state = State.WRITING;
        } finally {
            lock.unlock();
        }
        write();
    }

    private void write() {
        try {
            for (int pieces = 0; pieces < PIECES_PER_TURN; pieces++) {
                if (!piece.hasRemaining() && !beginNext()) {
                    return;
                }
                if (!writePiece()) {
                    break;
                }
            }
        } catch (IOException broken) {
            source.broken(broken);
            return;
        }
        awaitWire();
    }

    /** Begins the next message; false if there is none and this thread has stopped writing. */
    private boolean beginNext() {
        var next = source.next();
        while (next == null) {
            if (stop()) {
                source.drained();
                return false;
            }
            next = source.next();
        }
        message = next;
        cut();
        return true;
    }

    /** Stops writing; false if a message was added meanwhile. */
    private boolean stop() {
        lock.lock();
        try {
            boolean stops = !added;
            added = false;
            state = stops ? State.IDLE : State.WRITING;
            return stops;
        } finally {
            lock.unlock();
        }
    }

    /** Writes one piece, or what fits of it; false if the sink is full. */
    private boolean writePiece() throws IOException {
        sink.write(piece);
        if (piece.hasRemaining()) {
            return false;
        }
        if (message.hasRemaining()) {
            cut();
        } else {
            // Drops the reference to the message, which may be large, while the connection is quiet.
            message = NOTHING;
            piece = NOTHING;
        }
        return true;
    }

    private void cut() {
        int left = message.remaining();
        if (left >= PIECE) {
            piece = message.slice(message.position(), PIECE - 1);
            message.position(message.position() + PIECE - 1);
            return;
        }
        piece = ByteBuffer.allocate(left + 1).put(message).put((byte) '\n').flip();
    }

    private void awaitWire() {
        lock.lock();
        try {
            state = State.AWAITING_WIRE;
        } finally {
            lock.unlock();
        }
        sink.awaitWritable();
    }

    private enum State {
        IDLE,
        WRITING,
        AWAITING_WIRE
    }

    /** The queue behind a writer. The writing thread calls it, without a lock. */
    interface Source {

        /**
         * Removes and returns the next line or lines, without the last line end; null if none waits. The lines that it
         * returned before are completely written.
         */
        @Nullable
        ByteBuffer next();

        /** Everything is written; may be called again without a message in between. */
        default void drained() {}

        /** The sink is broken; the writer does nothing more. */
        void broken(IOException why);
    }
}
