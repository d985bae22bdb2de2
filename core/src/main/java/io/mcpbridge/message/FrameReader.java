package io.mcpbridge.message;

import io.mcpbridge.failure.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a byte stream into frames, one a line.
 *
 * <p>A line ends with LF or CR LF; a CR elsewhere is part of the line, and empty lines are passed over. A
 * line that lies whole in what was read is copied once; what is left over waits for the next read. One
 * reader serves one stream, from its beginning, and one thread at a time.
 */
public final class FrameReader {

    private static final int FIRST_ROOM = 4 << 10;
    private static final int KEPT_ROOM = 64 << 10;

    private final Limits limits;
    private byte[] partial = new byte[0];
    private int size;
    private @Nullable ProtocolException broken;

    /** A reader of frames of at most {@link Limits#maxBytes}. */
    public FrameReader(Limits limits) {
        this.limits = limits;
    }

    /**
     * Takes all bytes of a buffer and hands out the frames that they complete.
     *
     * @throws ProtocolException as soon as a frame is too large, and ever after: where the next frame
     *     begins is then unknown, so the stream has to be closed
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

    /** Whether bytes of an unfinished frame are waiting; if the stream ends now, they must not be acted on. */
    public boolean isInsideFrame() {
        return size > 0;
    }

    /** A CR may yet turn out to belong to the line end, so it does not count while it is the last byte. */
    private void requireFit(ByteBuffer in, int end) {
        long length = (long) size + end - in.position();
        long counted = length > 0 && last(in, end) == '\r' ? length - 1 : length;
        if (counted > limits.maxBytes()) {
            broken = ProtocolErrors.tooLarge(limits);
            forget();
            throw broken;
        }
    }

    private byte last(ByteBuffer in, int end) {
        return end > in.position() ? in.get(end - 1) : partial[size - 1];
    }

    private void keep(ByteBuffer in) {
        int length = in.remaining();
        if (size + length > partial.length) {
            int room = Math.max(FIRST_ROOM, Math.max(size + length, 2 * partial.length));
            partial = Arrays.copyOf(partial, room);
        }
        in.get(partial, size, length);
        size += length;
    }

    /** The frame that ends here, in an array of its own; leaves the buffer behind its line end. */
    private byte[] take(ByteBuffer in, int lineEnd) {
        int length = size + lineEnd - in.position();
        boolean hasReturn = length > 0 && last(in, lineEnd) == '\r';
        byte[] frame = new byte[hasReturn ? length - 1 : length];
        int waiting = Math.min(size, frame.length);
        System.arraycopy(partial, 0, frame, 0, waiting);
        in.get(frame, waiting, frame.length - waiting);
        in.position(lineEnd + 1);
        forget();
        return frame;
    }

    private void forget() {
        size = 0;
        if (partial.length > KEPT_ROOM) {
            partial = new byte[0];
        }
    }

    /** Takes the frames that a {@link FrameReader} has cut out of a byte stream. */
    @FunctionalInterface
    public interface Sink {

        /**
         * Takes one frame.
         *
         * @param exactBytes the frame without its line end, and nothing else; the sink owns the array
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
