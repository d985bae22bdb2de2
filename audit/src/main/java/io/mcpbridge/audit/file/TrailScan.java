package io.mcpbridge.audit.file;

import io.mcpbridge.audit.file.TrailFileSystem.AppendedFile;
import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.verify.FileLineReader;
import io.mcpbridge.audit.verify.Segment;
import io.mcpbridge.failure.ProtocolException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a trail to find its head, its open calls and damage at its end. It reads from the last resume point on, or the
 * whole trail if no resume point fits.
 *
 * <p>Bytes at the end, after the last checkpoint, that are no record belong to a group that was being written when the
 * process or the machine stopped: they are copied to a {@code .torn} file and cut. Bytes that a checkpoint covers, or
 * that come before a complete record, are never cut. If such bytes are damaged or missing, the chain continues in a new
 * segment, and the verifier still finds the fault.
 */
final class TrailScan {
    private static final int PIECE_BYTES = 1 << 16;

    private final Path folder;
    private final TrailFileSystem disk;
    private final Map<String, String> findings;
    private final TrustedCheckpoints checkpoints;
    private final ChainHead covered;
    private final OpenCallIndex open = new OpenCallIndex();
    private ChainHead head = ChainHead.START;
    private boolean isDamaged;
    private @Nullable Segment last;
    private long lastEnd;

    private TrailScan(Path folder, TrailFileSystem disk, TrustedCheckpoints checkpoints, Map<String, String> findings) {
        this.folder = folder;
        this.disk = disk;
        this.checkpoints = checkpoints;
        this.covered = checkpoints.head();
        this.findings = findings;
    }

    /**
     * Reads the trail and cuts an incomplete group at its end.
     *
     * @param findings receives each irregularity
     */
    static TrailScan of(Path folder, TrailFileSystem disk, TrustedCheckpoints checkpoints, Map<String, String> findings)
            throws IOException {
        var scan = new TrailScan(folder, disk, checkpoints, findings);
        scan.readSegments();
        scan.compareWithCheckpoint();
        return scan;
    }

    /** The head after which the chain continues. */
    ChainHead head() {
        return head;
    }

    /** The calls without an exit. */
    OpenCallIndex open() {
        return open;
    }

    /** A writer that continues in the last segment, or in a new one if records cannot follow there. */
    SegmentWriter segmentWriter() throws IOException {
        var writer = new SegmentWriter(folder, disk, head);
        if (last != null && !isDamaged && belongsTo(last)) {
            writer.continueIn(last, lastEnd);
        }
        return writer;
    }

    /** The enter of an open call. */
    ParsedRecord enter(OpenCallIndex.Place place) throws IOException {
        var file = Segment.beginning(folder, place.first()).file();
        try (var reader = FileLineReader.open(file, place.offset(), Long.MAX_VALUE)) {
            var line = reader.next()
                    .orElseThrow(() -> new IOException("'%s' ends before %d".formatted(file, place.offset())));
            return ParsedRecord.parse(line.bytes());
        }
    }

    private void readSegments() throws IOException {
        var segments = Segment.in(folder);
        var resume = ResumePointFile.read(folder).filter(point -> fits(point, segments));
        var from = new OpenCallIndex.Place(0, 0);
        if (resume.isPresent()) {
            head = resume.get().head();
            from = new OpenCallIndex.Place(resume.get().first(), resume.get().offset());
            for (var place : resume.get().open()) {
                readOpen(place);
            }
        } else if (!segments.isEmpty()) {
            head = headBefore(segments.get(0));
        }
        for (int i = 0; i < segments.size(); i++) {
            if (segments.get(i).first() >= from.first()) {
                var nextFirst = i + 1 < segments.size() ? segments.get(i + 1).first() : Long.MAX_VALUE;
                read(segments.get(i), segments.get(i).first() == from.first() ? from.offset() : 0, nextFirst);
            }
        }
    }

    private boolean fits(ResumePointFile.Point point, List<Segment> segments) {
        return point.head().sequence() <= covered.sequence()
                && (point.head().sequence() < covered.sequence() || point.head().equals(covered))
                && (isNewSegment(point) || segments.stream().anyMatch(point::isIn));
    }

    private static boolean isNewSegment(ResumePointFile.Point point) {
        return point.first() == point.head().sequence() + 1 && point.offset() == 0;
    }

    private void readOpen(OpenCallIndex.Place place) {
        try {
            open.note(enter(place), Segment.beginning(folder, place.first()), place.offset());
        } catch (IOException | ProtocolException e) {
            findings.merge("open-calls-lost", "1", (old, one) -> Integer.toString(Integer.parseInt(old) + 1));
        }
    }

    /** The head before the oldest segment: if older segments were removed, the checkpoint at their end has it. */
    private ChainHead headBefore(Segment oldest) throws IOException {
        if (oldest.first() <= 1) {
            return ChainHead.START;
        }
        var before = oldest.first() - 1;
        return checkpoints.at(before).orElseGet(() -> new ChainHead(before, ChainHead.START.hash()));
    }

    private void read(Segment segment, long offset, long nextFirst) throws IOException {
        if (Files.size(segment.file()) == 0 && segment.first() != head.sequence() + 1) {
            // Its writer stopped before it wrote a record here, and lost the end of the segment before.
            Files.delete(segment.file());
            return;
        }
        last = segment;
        lastEnd = offset;
        try (var reader = FileLineReader.open(segment.file(), offset, Long.MAX_VALUE)) {
            while (head.sequence() < nextFirst - 1 || isDamaged) {
                var line = reader.next();
                if (line.isEmpty()) {
                    break;
                }
                if (!take(line.get(), segment) && !isDamaged) {
                    if (mayBeCut(nextFirst)
                            && !hasRecordFrom(segment, line.get().offset())) {
                        break;
                    }
                    isDamaged = true;
                    take(line.get(), segment);
                    findings.put(
                            "damaged",
                            "%s, byte %d".formatted(segment.name(), line.get().offset()));
                }
            }
        }
        if (nextFirst == Long.MAX_VALUE && !isDamaged) {
            cutRest(segment);
        }
    }

    /** Processes a line that belongs to the chain, or any record if the chain is broken already. */
    private boolean take(FileLineReader.Line line, Segment segment) {
        var found =
                record(line).filter(each -> isDamaged || each.faultAfter(head).isEmpty());
        if (found.isEmpty()) {
            return false;
        }
        var record = found.get();
        if (record.sequence() > head.sequence()) {
            head = record.head();
            checkpoints.uncovered().read(record, segment.first());
        }
        open.note(record, segment, line.offset());
        lastEnd = line.offset() + line.bytes().length + 1;
        return true;
    }

    private boolean mayBeCut(long nextFirst) {
        return nextFirst == Long.MAX_VALUE && head.sequence() >= covered.sequence();
    }

    /** Whether a complete new record follows: then records before it are missing, and no group was cut off. */
    private boolean hasRecordFrom(Segment segment, long offset) throws IOException {
        try (var reader = FileLineReader.open(segment.file(), offset, Long.MAX_VALUE)) {
            for (var line = reader.next(); line.isPresent(); line = reader.next()) {
                if (record(line.get())
                        .filter(each -> each.sequence() > head.sequence())
                        .isPresent()) {
                    return true;
                }
            }
            return false;
        }
    }

    private static Optional<ParsedRecord> record(FileLineReader.Line line) {
        try {
            return Optional.of(ParsedRecord.parse(line.bytes()));
        } catch (ProtocolException e) {
            return Optional.empty();
        }
    }

    /** Whether the next record may be written to the segment, whose name is the sequence of its first record. */
    private boolean belongsTo(Segment segment) {
        return lastEnd > 0 || segment.first() == head.sequence() + 1;
    }

    private void cutRest(Segment segment) throws IOException {
        var rest = Files.size(segment.file()) - lastEnd;
        if (rest > 0 && head.sequence() >= covered.sequence()) {
            copyToTornFile(segment.file(), lastEnd);
            findings.put("torn-bytes", Long.toString(rest));
            if (!belongsTo(segment)) {
                Files.delete(segment.file());
            }
        }
    }

    /** Copies the end of a segment to {@code <segment>.torn}, for inspection by an operator. */
    private void copyToTornFile(Path file, long begin) throws IOException {
        try (var from = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
                var to = new AppendedFile(disk.open(SegmentWriter.tornName(file)), 0)) {
            var piece = ByteBuffer.allocate(PIECE_BYTES);
            var position = begin;
            for (var count = from.read(piece, position); count > 0; count = from.read(piece.clear(), position)) {
                to.append(piece.flip());
                position += count;
            }
            to.force();
        }
    }

    /**
     * Compares the head with the last checkpoint. Its records were on the device when it was written, so missing ones
     * were removed.
     */
    private void compareWithCheckpoint() {
        if (head.sequence() < covered.sequence()) {
            findings.put("missing", Long.toString(covered.sequence() - head.sequence()));
            head = covered;
            isDamaged = true;
        }
    }
}
