package io.mcpbridge.audit.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A file that grows at its end, by a whole group of bytes or not at all. For one thread at a time. */
final class AppendedFile implements AutoCloseable {
    private final SegmentFile file;
    private long end;

    /** Goes on at {@code end}; what stands behind it is written over. */
    AppendedFile(SegmentFile file, long end) {
        this.file = file;
        this.end = end;
    }

    /** Where it ends, as far as everything was written. */
    long end() {
        return end;
    }

    /** Writes all bytes; after a failure the end is where it was, and {@link #cut} takes away what came so far. */
    void append(ByteBuffer bytes) throws IOException {
        var position = end;
        while (bytes.hasRemaining()) {
            var taken = file.write(bytes, position);
            if (taken <= 0) {
                throw new IOException("the system took none of " + bytes.remaining() + " bytes");
            }
            position += taken;
        }
        end = position;
    }

    void force() throws IOException {
        file.force();
    }

    /** Makes {@code newEnd} the end of the file. */
    void cut(long newEnd) throws IOException {
        end = newEnd;
        file.truncate(newEnd);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
