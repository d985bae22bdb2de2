package io.mcpbridge.audit.verify;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads the whole lines of one file, also while it grows. For one thread at a time.
 *
 * <p>What stands after the last line end is kept back until its line end comes, so nobody sees half a record.
 */
public final class SegmentReader implements AutoCloseable {
    /** No record is longer. A longer line comes in pieces, none of which is a record. */
    static final int LONGEST_LINE = 16 << 20;

    private static final int PIECE = 1 << 16;

    private final FileChannel channel;
    private final long limit;
    private byte[] buffer = new byte[PIECE];
    private int begin;
    private int end;
    private int searched;
    private long offset;
    private long number;

    private SegmentReader(FileChannel channel, long offset, long limit) {
        this.channel = channel;
        this.offset = offset;
        this.limit = limit;
    }

    /** Reads a file from its beginning; a symbolic link is refused. */
    public static SegmentReader open(Path file) throws IOException {
        return open(file, 0, Long.MAX_VALUE);
    }

    /** Reads a file from {@code offset}, where a line must begin, up to {@code limit}, however it grows. */
    public static SegmentReader open(Path file, long offset, long limit) throws IOException {
        return new SegmentReader(
                FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS), offset, limit);
    }

    /** The next line, or empty where there is none yet. */
    public Optional<Line> next() throws IOException {
        while (true) {
            for (; searched < end; searched++) {
                if (buffer[searched] == '\n') {
                    return Optional.of(line(searched, 1));
                }
            }
            if (end - begin >= LONGEST_LINE) {
                return Optional.of(line(end, 0));
            }
            if (!readMore()) {
                return Optional.empty();
            }
        }
    }

    /** What stands behind the last line of a file that grows no more, once there is no next one; empty where nothing does. */
    Optional<Line> rest() {
        return begin == end ? Optional.empty() : Optional.of(line(end, 0));
    }

    /** Where the next line begins. */
    public long offset() {
        return offset;
    }

    /** How many bytes of the file have not been returned as lines. */
    public long remaining() throws IOException {
        return Math.max(0, Math.min(channel.size(), limit) - offset);
    }

    private Line line(int lineEnd, int separator) {
        var line = new Line(++number, offset, Arrays.copyOfRange(buffer, begin, lineEnd));
        offset += lineEnd + separator - begin;
        begin = lineEnd + separator;
        searched = begin;
        return line;
    }

    private boolean readMore() throws IOException {
        forgetWhatWasCut();
        makeRoom();
        var position = offset + (end - begin);
        var room = (int) Math.min(buffer.length - end, limit - position);
        var count = room <= 0 ? -1 : channel.read(ByteBuffer.wrap(buffer, end, room), position);
        end += Math.max(0, count);
        return count > 0;
    }

    /** A record that could not be made durable is taken back by cutting the file, before anybody was told of it. */
    private void forgetWhatWasCut() throws IOException {
        var size = channel.size();
        if (size < offset + (end - begin)) {
            end = begin;
            searched = begin;
            offset = Math.min(offset, size);
        }
    }

    private void makeRoom() {
        if (end < buffer.length) {
            return;
        }
        var longer = end - begin > buffer.length / 2 ? new byte[buffer.length * 2] : buffer;
        System.arraycopy(buffer, begin, longer, 0, end - begin);
        searched -= begin;
        end -= begin;
        begin = 0;
        buffer = longer;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** A line. */
    public static final class Line {
        private final long number;
        private final long offset;
        private final byte[] bytes;

        private Line(long number, long offset, byte[] bytes) {
            this.number = number;
            this.offset = offset;
            this.bytes = bytes;
        }

        /** From 1, counted from where the reading began. */
        public long number() {
            return number;
        }

        /** Where its first byte stands in the file. */
        public long offset() {
            return offset;
        }

        /** Without the line end; the caller's own. */
        public byte[] bytes() {
            return bytes;
        }
    }
}
