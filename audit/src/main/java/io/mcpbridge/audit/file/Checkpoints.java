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

    /** Goes on where the last checkpoint ends; what stands behind it in the file is cut. */
    static Checkpoints open(Path folder, Disk disk, SigningKey key, KnownCheckpoints known) throws IOException {
        var file = new AppendedFile(disk.open(folder.resolve(CheckpointReader.FILE)), known.end());
        file.cut(known.end());
        return new Checkpoints(key, file, known.vouched().sequence());
    }

    /** Vouches for a trail that holds nothing yet, so that a trail without any checkpoint is one that lost them. */
    void begin() throws IOException {
        write(ChainHead.START);
        force();
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
