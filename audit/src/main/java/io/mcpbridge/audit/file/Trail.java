package io.mcpbridge.audit.file;

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
 * The segments as their writer sees them: the chain, the file it is written to, and what of it is on the device. For one
 * thread at a time.
 *
 * <p>A group of records is written as a whole or not at all: after a failure the chain stands where it stood, and what
 * came of the group is cut away. Where even that fails, or a sync did, the segment is left as it is and the next group
 * begins a new one, whose name says where the old one's records end.
 */
final class Trail implements AutoCloseable {
    private static final int LARGEST_ROOM = 1 << 20;

    private final Path folder;
    private final Disk disk;
    private ByteBuffer room = ByteBuffer.allocate(0);
    private AuditChain chain;
    private ChainHead head;
    private ChainHead durable;
    private @Nullable AppendedFile file;
    private @Nullable FileIdentity identity;
    private long first;
    private Segment segment;

    /**
     * Goes on with the chain in a new segment.
     *
     * @param head where the chain stands
     */
    Trail(Path folder, Disk disk, ChainHead head) {
        this.folder = folder;
        this.disk = disk;
        this.chain = AuditChain.after(head);
        this.head = head;
        this.durable = head;
        this.first = head.sequence() + 1;
        this.segment = Segment.beginning(folder, first);
    }

    /** A group that was written. */
    record Group(Segment segment, List<Long> offsets) {}

    /** Goes on in a segment that is there and ends at {@code end}; what stands behind is cut, the rest put on the device. */
    void goOnIn(Segment segment, long end) throws IOException {
        var opened = new AppendedFile(disk.open(segment.file()), end);
        try {
            opened.cut(end);
            opened.force();
            identity = FileIdentity.of(segment.file());
        } catch (IOException failed) {
            closeQuietly(opened);
            throw failed;
        }
        file = opened;
        first = segment.first();
    }

    /** Where the chain stands after the last group that was written. */
    ChainHead head() {
        return head;
    }

    /** Where it stood when all of it was on the device. */
    ChainHead durable() {
        return durable;
    }

    /** Whether all that was written is on the device. */
    boolean isDurable() {
        return durable.equals(head);
    }

    /** The segment that is being written, or would be. */
    Segment segment() {
        if (segment.first() != first) {
            segment = Segment.beginning(folder, first);
        }
        return segment;
    }

    /** How large that segment is. */
    long size() {
        return file == null ? 0 : file.end();
    }

    /** Writes a group to the system; what of it is on the device is for {@link #sync}. */
    Group write(List<RecordBody> bodies) throws IOException {
        var target = opened();
        var start = target.end();
        var lines = room(bodies);
        var offsets = new ArrayList<Long>(bodies.size());
        try {
            for (var body : bodies) {
                offsets.add(start + lines.position());
                chain.append(body, lines);
                lines.put((byte) '\n');
            }
            target.append(lines.flip());
            head = chain.head();
            return new Group(segment(), offsets);
        } catch (IOException | RuntimeException | Error failed) {
            takeBack(head, start);
            throw failed;
        }
    }

    /** The same array for all groups of usual size. */
    private ByteBuffer room(List<RecordBody> bodies) {
        var wanted = 0;
        for (var body : bodies) {
            wanted += AuditChain.lineLength(body) + 1;
        }
        if (wanted > LARGEST_ROOM) {
            return ByteBuffer.allocate(wanted);
        }
        if (wanted > room.capacity()) {
            room = ByteBuffer.allocate(Math.min(LARGEST_ROOM, 2 * wanted));
        }
        return room.clear();
    }

    /** Puts what was written on the device; after a failure nobody knows what of it is there, so the segment is left. */
    void sync() throws IOException {
        var current = file;
        if (current == null || isDurable()) {
            return;
        }
        try {
            current.force();
            durable = head;
        } catch (IOException failed) {
            leave();
            durable = head;
            throw failed;
        }
    }

    /** The same; where it fails, the group that was written last counts as if it had never been. */
    void sync(ChainHead before, long end) throws IOException {
        var current = opened();
        try {
            current.force();
            durable = head;
        } catch (IOException failed) {
            takeBack(before, end);
            durable = head;
            leave();
            throw failed;
        }
    }

    /** Ends the segment, all of which is on the device; the next group begins another one. */
    void endSegment() {
        leave();
    }

    /** What is wrong with the segment where it should lie: what was written may be gone. */
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
        var segment = Segment.beginning(folder, head.sequence() + 1);
        if (Files.exists(segment.file(), LinkOption.NOFOLLOW_LINKS)) {
            setAside(segment.file());
        }
        var opened = new AppendedFile(disk.open(segment.file()), 0);
        try {
            disk.force(folder);
            identity = FileIdentity.of(segment.file());
        } catch (IOException failed) {
            closeQuietly(opened);
            throw failed;
        }
        first = segment.first();
        file = opened;
        return opened;
    }

    /** A segment of which no record counts lies where the next one has to begin. */
    private static void setAside(Path file) throws IOException {
        if (Files.size(file) == 0) {
            Files.delete(file);
            return;
        }
        Files.move(file, TornRest.unusedName(file));
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
        } catch (IOException stays) {
            leave();
        }
    }

    private void leave() {
        var current = file;
        file = null;
        first = head.sequence() + 1;
        if (current != null) {
            closeQuietly(current);
        }
    }

    private static void closeQuietly(AppendedFile file) {
        try {
            file.close();
        } catch (IOException nothingMoreToDo) {
            // What was promised of it has been synced before.
        }
    }

    @Override
    public void close() {
        leave();
    }
}
