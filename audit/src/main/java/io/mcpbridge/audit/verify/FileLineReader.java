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
 * Reads the lines of a file, also while the file grows. For one thread.
 *
 * <p>It returns a line only after its line end was written, so it never returns a part of a record.
 */
public final class FileLineReader implements AutoCloseable {
    /** The longest record in bytes. A longer line is returned in pieces, none of which is a record. */
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

    private FileLineReader(FileChannel channel, long offset, long limit) {
        this.channel = channel;
        this.offset = offset;
        this.limit = limit;
    }

    /**
     * Opens a reader from {@code offset}, the start of a line, to {@code limit}, even if the file grows; rejects a
     * symbolic link.
     */
    public static FileLineReader open(Path file, long offset, long limit) throws IOException {
        return new FileLineReader(
                FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS), offset, limit);
    }

    /** The next line; empty if there is none yet. */
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

    /** The bytes after the last line of a file that does not grow; empty if there are none. */
    Optional<Line> rest() {
        return begin == end ? Optional.empty() : Optional.of(line(end, 0));
    }

    /** The position of the next line. */
    public long offset() {
        return offset;
    }

    /** The number of bytes that were not returned as lines. */
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
        dropCutBytes();
        makeRoom();
        var position = offset + (end - begin);
        var room = (int) Math.min(buffer.length - end, limit - position);
        var count = room <= 0 ? -1 : channel.read(ByteBuffer.wrap(buffer, end, room), position);
        end += Math.max(0, count);
        return count > 0;
    }

    /**
     * Drops buffered bytes that the writer has cut: it cuts a record that it could not make durable before it fails its
     * completion.
     */
    private void dropCutBytes() throws IOException {
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

    /**
     * A line.
     *
     * @param number the number of the line; 1 is the first line that was read
     * @param offset the position of its first byte in the file
     * @param bytes the bytes without the line end; not shared
     */
    @SuppressWarnings("ArrayRecordComponent") // Handed over once, never compared.
    public record Line(long number, long offset, byte[] bytes) {}
}
