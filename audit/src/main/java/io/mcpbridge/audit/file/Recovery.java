package io.mcpbridge.audit.file;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.verify.Segment;
import io.mcpbridge.audit.verify.SegmentReader;
import io.mcpbridge.failure.ProtocolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds out how the last writer left a trail. It reads from the last resume point on, and everything only where there is
 * none that fits.
 *
 * <p>What ends the trail behind the last checkpoint and is no record is a group that was being written when the process or
 * the machine stopped: it is kept aside and cut. What a checkpoint vouches for is never cut, nor is anything that whole
 * records follow: where that is damaged or missing, the chain goes on in a new segment, and the verifier goes on telling
 * what is wrong.
 */
final class Recovery {
    private final Path folder;
    private final Disk disk;
    private final Map<String, String> findings;
    private final KnownCheckpoints checkpoints;
    private final ChainHead vouched;
    private final OpenCalls open = new OpenCalls();
    private ChainHead head = ChainHead.START;
    private boolean isDamaged;
    private @Nullable Segment last;
    private long lastEnd;

    private Recovery(Path folder, Disk disk, KnownCheckpoints checkpoints, Map<String, String> findings) {
        this.folder = folder;
        this.disk = disk;
        this.checkpoints = checkpoints;
        this.vouched = checkpoints.vouched();
        this.findings = findings;
    }

    /**
     * Reads the trail and cuts what was torn.
     *
     * @param findings takes what was not as a writer leaves it that ends in peace
     */
    static Recovery of(Path folder, Disk disk, KnownCheckpoints checkpoints, Map<String, String> findings)
            throws IOException {
        var recovery = new Recovery(folder, disk, checkpoints, findings);
        recovery.readSegments();
        recovery.compareWithCheckpoint();
        return recovery;
    }

    /** Where the chain goes on. */
    ChainHead head() {
        return head;
    }

    /** The calls that nobody ended. */
    OpenCalls open() {
        return open;
    }

    /** Goes on in the last segment, unless the chain has to go on in a new one. */
    Trail trail() throws IOException {
        var trail = new Trail(folder, disk, head);
        if (last != null && !isDamaged && belongsTo(last)) {
            trail.goOnIn(last, lastEnd);
        }
        return trail;
    }

    /** The enter of an open call. */
    AuditLine enter(OpenCalls.Place place) throws IOException {
        var file = Segment.beginning(folder, place.first()).file();
        try (var reader = SegmentReader.open(file, place.offset(), Long.MAX_VALUE)) {
            var line = reader.next()
                    .orElseThrow(() -> new IOException("'%s' ends before %d".formatted(file, place.offset())));
            return AuditLine.parse(line.bytes());
        }
    }

    private void readSegments() throws IOException {
        var segments = Segment.in(folder);
        var resume = ResumeFile.read(folder).filter(point -> fits(point, segments));
        var from = new OpenCalls.Place(0, 0);
        if (resume.isPresent()) {
            head = resume.get().head();
            from = new OpenCalls.Place(resume.get().first(), resume.get().offset());
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

    private boolean fits(ResumeFile.Point point, List<Segment> segments) {
        return point.head().sequence() <= vouched.sequence()
                && (point.head().sequence() < vouched.sequence() || point.head().equals(vouched))
                && (isNotBegun(point) || segments.stream().anyMatch(point::isIn));
    }

    private static boolean isNotBegun(ResumeFile.Point point) {
        return point.first() == point.head().sequence() + 1 && point.offset() == 0;
    }

    private void readOpen(OpenCalls.Place place) {
        try {
            open.note(enter(place), Segment.beginning(folder, place.first()), place.offset());
        } catch (IOException | ProtocolException removed) {
            findings.merge("open-calls-lost", "1", (old, one) -> Integer.toString(Integer.parseInt(old) + 1));
        }
    }

    /** Where older segments were removed, the checkpoint at their end says where the chain stood. */
    private ChainHead headBefore(Segment oldest) throws IOException {
        if (oldest.first() <= 1) {
            return ChainHead.START;
        }
        var before = oldest.first() - 1;
        return checkpoints.at(before).orElseGet(() -> new ChainHead(before, ChainHead.START.hash()));
    }

    private void read(Segment segment, long offset, long nextFirst) throws IOException {
        if (Files.size(segment.file()) == 0 && segment.first() != head.sequence() + 1) {
            // Its writer stopped before the first record of it, and lost what stood before.
            Files.delete(segment.file());
            return;
        }
        last = segment;
        lastEnd = offset;
        try (var reader = SegmentReader.open(segment.file(), offset, Long.MAX_VALUE)) {
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

    /** Notes a line that belongs to the chain, or any record where that is lost already. */
    private boolean take(SegmentReader.Line line, Segment segment) {
        AuditLine record;
        try {
            record = AuditLine.parse(line.bytes());
        } catch (ProtocolException noRecord) {
            return false;
        }
        if (!isDamaged && record.faultAfter(head).isPresent()) {
            return false;
        }
        if (record.sequence() > head.sequence()) {
            head = record.head();
            checkpoints.uncovered().read(record, segment.first());
        }
        open.note(record, segment, line.offset());
        lastEnd = line.offset() + line.bytes().length + 1;
        return true;
    }

    private boolean mayBeCut(long nextFirst) {
        return nextFirst == Long.MAX_VALUE && head.sequence() >= vouched.sequence();
    }

    /** Whether a whole record stands there that is not known yet: then something before it is gone, and nothing was torn. */
    private boolean hasRecordFrom(Segment segment, long offset) throws IOException {
        try (var reader = SegmentReader.open(segment.file(), offset, Long.MAX_VALUE)) {
            for (var line = reader.next(); line.isPresent(); line = reader.next()) {
                if (isUnknownRecord(line.get())) {
                    return true;
                }
            }
            return false;
        }
    }

    private boolean isUnknownRecord(SegmentReader.Line line) {
        try {
            return AuditLine.parse(line.bytes()).sequence() > head.sequence();
        } catch (ProtocolException noRecord) {
            return false;
        }
    }

    /** Whether the next record may be written to a segment, whose name says which is its first. */
    private boolean belongsTo(Segment segment) {
        return lastEnd > 0 || segment.first() == head.sequence() + 1;
    }

    private void cutRest(Segment segment) throws IOException {
        var rest = Files.size(segment.file()) - lastEnd;
        if (rest > 0 && head.sequence() >= vouched.sequence()) {
            TornRest.keep(segment.file(), lastEnd, disk);
            findings.put("torn-bytes", Long.toString(rest));
            if (!belongsTo(segment)) {
                Files.delete(segment.file());
            }
        }
    }

    /** A checkpoint is written when its records are on the device, so they are there, or somebody took them. */
    private void compareWithCheckpoint() {
        if (head.sequence() < vouched.sequence()) {
            findings.put("missing", Long.toString(vouched.sequence() - head.sequence()));
            head = vouched;
            isDamaged = true;
        }
    }
}
