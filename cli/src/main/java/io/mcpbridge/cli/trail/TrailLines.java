package io.mcpbridge.cli.trail;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The whole lines of a trail from some place on, segment after segment.
 *
 * <p>A line that is not ended yet is left where it is, and read again the next time: it may be written to its end, or be
 * cut off by the daemon that starts after a crash.
 */
final class TrailLines implements AutoCloseable {
    private static final int SMALLEST = 1 << 18;
    /** No line of the sink is as long; what is longer is no record. */
    private static final int LONGEST = 1 << 24;

    private final TrailFolder folder;
    private Path segment;
    private @Nullable FileChannel channel;
    /** Where the line begins that comes next, or what is left of one that is too long. */
    private long offset;

    private boolean isTooLong;
    private ByteBuffer buffer = ByteBuffer.allocate(SMALLEST).flip();
    /** Whether the segment had a follower when its end was last looked at, so that nothing more can come. */
    private boolean isOver;

    TrailLines(TrailFolder folder, TrailPlace from) {
        this.folder = folder;
        this.segment = from.segment();
        this.offset = from.offset();
    }

    /** Where the line begins that comes next. */
    TrailPlace place() {
        return new TrailPlace(segment, offset);
    }

    /** The next line without its end, or empty where there is none yet. */
    Optional<byte[]> next() throws IOException {
        while (true) {
            int length = lengthInBuffer();
            if (length >= 0) {
                return Optional.of(take(length));
            }
            if (!fill() && !goOn()) {
                return Optional.empty();
            }
        }
    }

    private int lengthInBuffer() {
        for (int i = buffer.position(); i < buffer.limit(); i++) {
            if (buffer.get(i) == '\n') {
                return i - buffer.position();
            }
        }
        return -1;
    }

    /** The line that begins in the buffer; nothing is kept of one that is too long. */
    private byte[] take(int length) {
        var begin = buffer.position();
        var line = isTooLong ? new byte[0] : Arrays.copyOfRange(buffer.array(), begin, begin + length);
        buffer.position(begin + length + 1);
        offset += length + 1;
        isTooLong = false;
        return line;
    }

    /** Reads from the beginning of the next line on; false where there is no more of it than is known. */
    private boolean fill() throws IOException {
        var known = buffer.remaining();
        if (known == LONGEST) {
            isTooLong = true;
            offset += known;
            known = 0;
        }
        if (known == buffer.capacity()) {
            buffer = ByteBuffer.allocate(2 * known);
        }
        read(buffer.clear());
        buffer.flip();
        return buffer.remaining() > known;
    }

    private void read(ByteBuffer into) throws IOException {
        try {
            if (channel == null) {
                channel = FileChannel.open(segment);
            }
            int read = 0;
            while (into.hasRemaining() && read >= 0) {
                read = channel.read(into, offset + into.position());
            }
        } catch (NoSuchFileException removed) {
            // Its time was over before it was opened; the next segment goes on.
            isOver = true;
        }
    }

    /** Goes to the segment after this one, once this one was read to its end after that one was there. */
    private boolean goOn() throws IOException {
        var follower = folder.segments().stream()
                .filter(other -> other.getFileName().compareTo(segment.getFileName()) > 0)
                .findFirst();
        if (follower.isPresent() && isOver) {
            close();
            segment = follower.get();
            offset = 0;
            buffer.clear().flip();
            isTooLong = false;
            isOver = false;
            return true;
        }
        isOver = follower.isPresent();
        return isOver;
    }

    @Override
    public void close() throws IOException {
        var open = channel;
        channel = null;
        if (open != null) {
            open.close();
        }
    }
}
