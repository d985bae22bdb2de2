package io.mcpbridge.audit.file;

import io.mcpbridge.audit.file.TrailFileSystem.AppendedFile;
import io.mcpbridge.audit.internal.FileIdentity;
import io.mcpbridge.audit.record.AuditChain;
import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.audit.verify.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes the chain of records into segments and tracks how much of it is on the device. For one thread.
 *
 * <p>A group of records is written completely or not at all: after a failure the chain has its old head, and the bytes
 * of the group are cut. If a cut or a sync fails, the segment stays as it is. The next group then begins a new segment,
 * whose name shows where the records of the old one end.
 */
final class SegmentWriter implements AutoCloseable {
    private static final int MAX_BUFFER = 1 << 20;

    private final Path folder;
    private final TrailFileSystem disk;
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private AuditChain chain;
    private ChainHead head;
    private ChainHead durable;
    private @Nullable AppendedFile file;
    private @Nullable FileIdentity identity;

    /** The segment of the next record. */
    private Segment segment;

    /** Continues the chain after {@code head}; the first group begins a new segment. */
    SegmentWriter(Path folder, TrailFileSystem disk, ChainHead head) {
        this.folder = folder;
        this.disk = disk;
        this.chain = AuditChain.after(head);
        this.head = head;
        this.durable = head;
        this.segment = Segment.beginning(folder, head.sequence() + 1);
    }

    /** The places of a group that was written. */
    record Group(Segment segment, List<Long> offsets) {}

    /** Continues in an existing segment, which is cut at {@code end} and synced. */
    void continueIn(Segment existing, long end) throws IOException {
        var opened = new AppendedFile(disk.open(existing.file()), end);
        try {
            opened.cut(end);
            opened.force();
            identity = FileIdentity.of(existing.file());
        } catch (IOException e) {
            closeQuietly(opened);
            throw e;
        }
        file = opened;
        segment = existing;
    }

    /** The head of the chain after the last group. */
    ChainHead head() {
        return head;
    }

    /** The head of the chain as it is on the device. */
    ChainHead durable() {
        return durable;
    }

    /** Whether all written records are on the device. */
    boolean isDurable() {
        return durable.equals(head);
    }

    /** The segment of the next record. */
    Segment segment() {
        return segment;
    }

    /** The size of that segment in bytes. */
    long size() {
        return file == null ? 0 : file.end();
    }

    /** Writes a group to the operating system; {@link #sync} puts it on the device. */
    Group write(List<RecordBody> bodies) throws IOException {
        var target = opened();
        var start = target.end();
        var lines = buffer(bodies);
        var offsets = new ArrayList<Long>(bodies.size());
        try {
            for (var body : bodies) {
                offsets.add(start + lines.position());
                chain.append(body, lines);
                lines.put((byte) '\n');
            }
            target.append(lines.flip());
            head = chain.head();
            return new Group(segment, offsets);
        } catch (IOException | RuntimeException | Error e) {
            takeBack(head, start);
            throw e;
        }
    }

    /** Reuses one buffer for all groups of usual size. */
    private ByteBuffer buffer(List<RecordBody> bodies) {
        var wanted = 0;
        for (var body : bodies) {
            wanted += AuditChain.lineLength(body) + 1;
        }
        if (wanted > MAX_BUFFER) {
            return ByteBuffer.allocate(wanted);
        }
        if (wanted > buffer.capacity()) {
            buffer = ByteBuffer.allocate(Math.min(MAX_BUFFER, 2 * wanted));
        }
        return buffer.clear();
    }

    /** Puts all records on the device. After a failure it is unknown which are there, so the segment is abandoned. */
    void sync() throws IOException {
        if (file != null && !isDurable()) {
            sync(head, size());
        }
    }

    /**
     * Puts all records on the device. A failure takes back the records after {@code before}, which begin at {@code
     * end}.
     */
    void sync(ChainHead before, long end) throws IOException {
        var current = opened();
        try {
            current.force();
            durable = head;
        } catch (IOException e) {
            takeBack(before, end);
            durable = head;
            endSegment();
            throw e;
        }
    }

    /** The fault of the segment at its path: its records may be lost. */
    Optional<String> fault() {
        return file == null || identity == null ? Optional.empty() : identity.fault(file.end());
    }

    /** Whether the next group begins a segment. */
    boolean isBetweenSegments() {
        return file == null;
    }

    private AppendedFile opened() throws IOException {
        var current = file;
        if (current != null) {
            return current;
        }
        if (Files.exists(segment.file(), LinkOption.NOFOLLOW_LINKS)) {
            setAside(segment.file());
        }
        var opened = new AppendedFile(disk.open(segment.file()), 0);
        try {
            disk.force(folder);
            identity = FileIdentity.of(segment.file());
        } catch (IOException e) {
            closeQuietly(opened);
            throw e;
        }
        file = opened;
        return opened;
    }

    /** Renames a file without valid records that has the name of the next segment. */
    private static void setAside(Path file) throws IOException {
        if (Files.size(file) == 0) {
            Files.delete(file);
            return;
        }
        Files.move(file, tornName(file));
    }

    /** {@code <segment>.torn}, with a number if that name exists. */
    static Path tornName(Path file) {
        var name = file.getFileName() + ".torn";
        var unused = file.resolveSibling(name);
        for (int i = 2; Files.exists(unused, LinkOption.NOFOLLOW_LINKS); i++) {
            unused = file.resolveSibling(name + "-" + i);
        }
        return unused;
    }

    private void takeBack(ChainHead before, long end) {
        chain = AuditChain.after(before);
        head = before;
        var current = file;
        if (current == null) {
            return;
        }
        try {
            current.cut(end);
        } catch (IOException e) {
            endSegment();
        }
    }

    /** Ends the segment; the next group begins another one. */
    void endSegment() {
        var current = file;
        file = null;
        segment = Segment.beginning(folder, head.sequence() + 1);
        if (current != null) {
            closeQuietly(current);
        }
    }

    private static void closeQuietly(AppendedFile file) {
        try {
            file.close();
        } catch (IOException e) {
            // All records that had to be on the device are synced already.
        }
    }

    @Override
    public void close() {
        endSegment();
    }
}
