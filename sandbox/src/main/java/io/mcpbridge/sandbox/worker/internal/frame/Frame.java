package io.mcpbridge.sandbox.worker.internal.frame;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * One thing that a pool and a worker say to each other: a mark, the length of what follows, the kind, the number of the
 * call, and the payload.
 *
 * <p>The number is random, and an answer has to bear that of its call: what a tool writes to standard output by
 * itself is not taken for an answer.
 *
 * @param kind what it is
 * @param number of the call that it belongs to
 * @param payload what it carries; never changed
 */
public record Frame(Kind kind, long number, ByteBuffer payload) {
    /** Not the beginning of any text. */
    private static final int MARK = 0xB51D_6EAA;

    /** Before the length ends. */
    private static final int HEAD = 2 * Integer.BYTES;
    /** What the length counts beside the payload. */
    private static final int KIND_AND_NUMBER = 1 + Long.BYTES;

    private static final Kind[] KINDS = Kind.values();

    /** What a frame says. */
    public enum Kind {
        /** The worker has started. */
        HELLO,
        /** The worker shall run a tool. */
        CALL,
        /** The tool has a result. */
        DONE,
        /** The tool has thrown something. */
        FAILED,
        /** The tool has a result that is larger than it may be. */
        TOO_LARGE
    }

    /** Writes it in one piece. */
    @SuppressWarnings("EnumOrdinal") // Both sides have the same classes.
    public void writeTo(OutputStream out) throws IOException {
        var bytes = ByteBuffer.allocate(HEAD + KIND_AND_NUMBER + payload.remaining());
        bytes.putInt(MARK).putInt(KIND_AND_NUMBER + payload.remaining());
        bytes.put((byte) kind.ordinal()).putLong(number).put(payload.duplicate());
        out.write(bytes.array());
        out.flush();
    }

    /**
     * Waits for the next frame.
     *
     * @param mostBytes the largest payload that is taken
     * @return empty where the stream ends between two frames
     * @throws BadFrameException if what comes is no frame
     */
    public static Optional<Frame> readFrom(InputStream in, int mostBytes) throws IOException {
        var head = in.readNBytes(HEAD);
        if (head.length == 0) {
            return Optional.empty();
        }
        if (head.length < HEAD || ByteBuffer.wrap(head).getInt() != MARK) {
            // Not what it is: it may stem from an earlier call, out of a buffer of a library.
            throw new BadFrameException("something that is no frame");
        }
        var length = length(head, mostBytes);
        var body = in.readNBytes(length);
        if (body.length < length) {
            throw new BadFrameException("the stream ended in the middle of a frame");
        }
        var bytes = ByteBuffer.wrap(body);
        return Optional.of(new Frame(kind(bytes.get()), bytes.getLong(), bytes.slice()));
    }

    private static int length(byte[] head, int mostBytes) throws BadFrameException {
        var length = ByteBuffer.wrap(head).getInt(Integer.BYTES);
        if (length < KIND_AND_NUMBER || length - KIND_AND_NUMBER > mostBytes) {
            throw new BadFrameException("a frame of %d bytes, where %d are the most".formatted(length, mostBytes));
        }
        return length;
    }

    private static Kind kind(byte code) throws BadFrameException {
        if (code < 0 || code >= KINDS.length) {
            throw new BadFrameException("a frame of the unknown kind " + code);
        }
        return KINDS[code];
    }
}
