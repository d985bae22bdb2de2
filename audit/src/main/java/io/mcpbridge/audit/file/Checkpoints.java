package io.mcpbridge.audit.file;

import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.verify.CheckpointReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Appends signed checkpoints to their file. For one thread at a time. */
final class Checkpoints implements AutoCloseable {
    private final SigningKey key;
    private final AppendedFile file;
    private long size;

    private Checkpoints(SigningKey key, AppendedFile file, long size) {
        this.key = key;
        this.file = file;
        this.size = size;
    }

    /**
     * Goes on where the last checkpoint ends.
     *
     * @param end where it ends in the file; what stands behind is cut
     * @param size up to which record it vouches
     */
    static Checkpoints open(Path folder, Disk disk, SigningKey key, long end, long size) throws IOException {
        var file = new AppendedFile(disk.open(folder.resolve(CheckpointReader.FILE)), end);
        file.cut(end);
        return new Checkpoints(key, file, size);
    }

    /** Up to which record the last one vouches. */
    long size() {
        return size;
    }

    /** Vouches for the records up to {@code head}, which must be on the device. */
    void write(ChainHead head) throws IOException {
        var start = file.end();
        try {
            file.append(ByteBuffer.wrap(key.sign(head.sequence(), head.hash()).bytes()));
            size = head.sequence();
        } catch (IOException failed) {
            file.cut(start);
            throw failed;
        }
    }

    /** Puts the checkpoints on the device. */
    void force() throws IOException {
        file.force();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
