package io.mcpbridge.stream;

import io.mcpbridge.message.Message;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes one message after another as lines, in pieces that a wire takes as they fit. For one thread at a time;
 * a hand-over between threads needs a lock or the like.
 */
public final class LineWriter {

    /** The longest piece: what the JDK copies to native memory, and keeps there, at a time. */
    static final int PIECE = 64 * 1024;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Wire wire;
    private ByteBuffer message = NOTHING;
    private ByteBuffer piece = NOTHING;

    public LineWriter(Wire wire) {
        this.wire = wire;
    }

    /** Whether the last message is written to its end, so that another may begin. */
    public boolean isIdle() {
        return !piece.hasRemaining() && !message.hasRemaining();
    }

    /**
     * Takes the next message, of which nothing is written yet.
     *
     * @throws IllegalStateException if the last one is not written to its end
     */
    public void begin(Message next) {
        if (!isIdle()) {
            throw new IllegalStateException("a message is still being written; begin the next one after its end");
        }
        message = next.bytes();
        cut();
    }

    /**
     * Writes one piece, or what fits of it.
     *
     * @return whether all of the piece fitted, so that going on is worth while
     */
    public boolean write() throws IOException {
        wire.write(piece);
        if (piece.hasRemaining()) {
            return false;
        }
        if (message.hasRemaining()) {
            cut();
        } else {
            // Lets go of the message, which may be large, while the connection is quiet.
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
}
