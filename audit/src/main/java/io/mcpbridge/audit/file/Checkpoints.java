package io.mcpbridge.audit.file;

import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.verify.CheckpointReader;
import io.mcpbridge.audit.verify.SignedCheckpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** Appends signed checkpoints to their file. For one thread at a time. */
final class Checkpoints implements AutoCloseable {
    private final SigningKey key;
    private final Path folder;
    private final Disk disk;
    private AppendedFile file;
    private FileIdentity identity;
    private long size;

    private Checkpoints(SigningKey key, Path folder, Disk disk, AppendedFile file) throws IOException {
        this.key = key;
        this.folder = folder;
        this.disk = disk;
        this.file = file;
        this.identity = FileIdentity.of(folder.resolve(CheckpointReader.FILE));
    }

    /** Goes on where the last checkpoint ends; what stands behind it in the file is cut. */
    static Checkpoints open(Path folder, Disk disk, SigningKey key, KnownCheckpoints known) throws IOException {
        var file = new AppendedFile(disk.open(folder.resolve(CheckpointReader.FILE)), known.end());
        file.cut(known.end());
        var checkpoints = new Checkpoints(key, folder, disk, file);
        checkpoints.size = known.vouched().sequence();
        return checkpoints;
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
        write(key.sign(head.sequence(), head.hash()));
    }

    /** The same with what was signed for them before. */
    void write(SignedCheckpoint signed) throws IOException {
        var start = file.end();
        try {
            file.append(ByteBuffer.wrap(signed.bytes()));
            size = signed.checkpoint().size();
        } catch (IOException failed) {
            file.cut(start);
            throw failed;
        }
    }

    /** What is wrong with the file where it should lie. */
    Optional<String> fault() {
        return identity.fault();
    }

    /** Puts the checkpoints on the device. */
    void force() throws IOException {
        file.force();
    }

    /** Removes those that vouch for less than {@code sequence} records: nothing is left that they are about. */
    void removeBefore(long sequence) throws IOException {
        var begin = beginOf(sequence);
        if (begin == 0) {
            return;
        }
        var path = folder.resolve(CheckpointReader.FILE);
        var all = Files.readAllBytes(path);
        var beside = folder.resolve(CheckpointReader.FILE + ".new");
        var shorter = new AppendedFile(disk.open(beside), 0);
        try {
            shorter.cut(0);
            shorter.append(ByteBuffer.wrap(all, (int) begin, all.length - (int) begin));
            shorter.force();
            Files.move(beside, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            shorter.close();
            throw failed;
        }
        var longer = file;
        file = shorter;
        identity = FileIdentity.of(path);
        longer.close();
        disk.force(folder);
    }

    /** Where the first one begins that is kept; everything behind it stays, be it damaged or not. */
    private long beginOf(long sequence) throws IOException {
        try (var reader = CheckpointReader.open(folder)) {
            while (true) {
                var begin = reader.end();
                try {
                    var next = reader.next();
                    if (next.isEmpty()) {
                        return 0;
                    }
                    if (next.get().checkpoint().size() >= sequence) {
                        return begin;
                    }
                } catch (IllegalArgumentException damaged) {
                    // The next one tells.
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
