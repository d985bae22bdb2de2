package io.mcpbridge.message;

import io.mcpbridge.failure.ProtocolException;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Splits a byte stream into frames, one per line.
 *
 * <p>A line ends with LF or CR LF; a CR elsewhere belongs to the line. Empty lines are skipped. A line that one buffer
 * contains completely is copied once; an incomplete line is kept until the next call. One reader serves one stream,
 * from its beginning, and one thread at a time.
 */
public final class FrameSplitter {

    private static final int FIRST_ROOM = 4 << 10;
    private static final int PIECE = 64 << 10;
    /**
     * Pieces that any reader may use again, since those of large frames fill the young generation and outlive it; decision
     * 2 has the figures. Static, as readers of all connections share them.
     */
    private static final Queue<SoftReference<byte[]>> SPARE = new ArrayBlockingQueue<>(256);

    private final Limits limits;
    /** The beginning of an incomplete line, in full pieces, and the piece behind it. */
    private final ArrayDeque<byte[]> pieces = new ArrayDeque<>(0);

    private byte[] partial = new byte[0];
    /** How many bytes {@code partial} holds. */
    private int used;

    private @Nullable ProtocolException broken;

    /** Creates a reader for frames of at most {@link Limits#maxBytes}. */
    public FrameSplitter(Limits limits) {
        this.limits = limits;
    }

    /**
     * Reads all bytes of a buffer and passes each complete frame to the sink.
     *
     * @throws ProtocolException if a frame is too large, and on every later call: the start of the next frame is
     *     unknown then, so the caller has to close the stream
     */
    public void feed(ByteBuffer in, Sink sink) {
        if (broken != null) {
            throw broken;
        }
        while (in.hasRemaining()) {
            int lineEnd = LineEnds.find(in);
            requireFit(in, lineEnd < 0 ? in.limit() : lineEnd);
            if (lineEnd < 0) {
                keep(in);
                return;
            }
            byte[] frame = take(in, lineEnd);
            if (frame.length > 0) {
                sink.frame(frame);
            }
        }
    }

    /** Whether an incomplete frame is buffered. If the stream ends now, these bytes must be discarded. */
    public boolean isInsideFrame() {
        return used > 0;
    }

    /** A trailing CR is not counted, since it may be part of the line end. */
    private void requireFit(ByteBuffer in, int end) {
        long length = (long) size() + end - in.position();
        long counted = length > 0 && last(in, end) == '\r' ? length - 1 : length;
        if (counted > limits.maxBytes()) {
            broken = ProtocolErrors.tooLarge(limits);
            forget();
            throw broken;
        }
    }

    private byte last(ByteBuffer in, int end) {
        return end > in.position() ? in.get(end - 1) : partial[used - 1];
    }

    private void keep(ByteBuffer in) {
        while (in.hasRemaining()) {
            if (used == PIECE) {
                pieces.add(partial);
                partial = piece();
                used = 0;
            }
            int more = Math.min(in.remaining(), PIECE - used);
            if (used + more > partial.length) {
                int room = Math.max(FIRST_ROOM, Math.max(used + more, 2 * partial.length));
                partial = Arrays.copyOf(partial, Math.min(room, PIECE));
            }
            in.get(partial, used, more);
            used += more;
        }
    }

    private static byte[] piece() {
        var spare = SPARE.poll();
        byte[] piece = spare == null ? null : spare.get();
        return piece == null ? new byte[PIECE] : piece;
    }

    /** Copies the frame that ends here into a new array and moves the buffer past its line end. */
    private byte[] take(ByteBuffer in, int lineEnd) {
        int length = size() + lineEnd - in.position();
        boolean hasReturn = length > 0 && last(in, lineEnd) == '\r';
        byte[] frame = new byte[hasReturn ? length - 1 : length];
        int at = 0;
        for (byte[] piece = pieces.poll(); piece != null; piece = pieces.poll()) {
            System.arraycopy(piece, 0, frame, at, PIECE);
            SPARE.offer(new SoftReference<>(piece));
            at += PIECE;
        }
        int waiting = Math.min(used, frame.length - at);
        System.arraycopy(partial, 0, frame, at, waiting);
        in.get(frame, at + waiting, frame.length - at - waiting);
        in.position(lineEnd + 1);
        forget();
        return frame;
    }

    private void forget() {
        pieces.clear();
        used = 0;
    }

    /** The bytes of the incomplete line. */
    private int size() {
        return pieces.size() * PIECE + used;
    }

    /** Receives the frames of a {@link FrameSplitter}. */
    @FunctionalInterface
    public interface Sink {

        /**
         * Receives one frame.
         *
         * @param exactBytes the frame without its line end; the sink owns the array
         */
        void frame(byte[] exactBytes);
    }

    /** Finds line ends in a buffer, eight bytes at a time. */
    private static final class LineEnds {

        static final int NOT_FOUND = -1;

        private static final long ONES = 0x0101010101010101L;
        private static final long HIGH_BITS = 0x8080808080808080L;
        private static final long LINE_FEEDS = ONES * '\n';

        private LineEnds() {}

        /** The position of the first LF among the remaining bytes, or {@link #NOT_FOUND}. */
        static int find(ByteBuffer in) {
            int at = in.position();
            while (at <= in.limit() - Long.BYTES && !hasLineFeed(in.getLong(at))) {
                at += Long.BYTES;
            }
            while (at < in.limit() && in.get(at) != '\n') {
                at++;
            }
            return at < in.limit() ? at : NOT_FOUND;
        }

        private static boolean hasLineFeed(long word) {
            long zeroWhereLineFeed = word ^ LINE_FEEDS;
            return ((zeroWhereLineFeed - ONES) & ~zeroWhereLineFeed & HIGH_BITS) != 0;
        }
    }
}
