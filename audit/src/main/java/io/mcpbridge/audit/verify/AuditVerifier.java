package io.mcpbridge.audit.verify;

import io.mcpbridge.audit.internal.Uncovered;
import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.verify.AuditFault.Kind;
import io.mcpbridge.failure.ProtocolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks a trail against its chain and its signed checkpoints, also while it is written. Reads it once, as a stream; a
 * verifier is for one run.
 *
 * <p>It finds what was changed, taken out, put in or exchanged by somebody without the key, up to the last checkpoint. The
 * hashes alone do not show where: whoever changes a record can make those behind it anew, up to the next checkpoint.
 * Without keys it checks the chain alone, which whoever writes to the folder could have made anew.
 */
public final class AuditVerifier {
    private final Path folder;
    private final List<VerificationKey> keys;
    private final VouchedHeads heads;
    private final KeptComparison kept;
    private final AuditRange range;
    private final TrailNotes notes = new TrailNotes();
    private final List<String> remarks = new ArrayList<>();
    private Optional<KnownEnd> end = Optional.empty();
    private Uncovered uncovered = new Uncovered(0);
    private ChainHead head = ChainHead.START;
    /** The last record at which the chain stood where a checkpoint says. */
    private long vouched;

    private long first;
    private long records;
    private int segments;

    private AuditVerifier(Path folder, List<VerificationKey> keys, AuditRange range, KeptCheckpoints kept) {
        this.folder = folder;
        this.keys = List.copyOf(keys);
        this.heads = new VouchedHeads(keys);
        this.kept = new KeptComparison(kept);
        this.range = range;
    }

    /**
     * Checks the trail in a folder.
     *
     * @param keys that its checkpoints may be signed with
     * @throws IOException if it cannot be read
     */
    public static AuditReport verify(Path folder, List<VerificationKey> keys) throws IOException {
        return verify(folder, keys, AuditRange.ALL);
    }

    /** The same for some records, with those that stand between them and the checkpoints around them. */
    public static AuditReport verify(Path folder, List<VerificationKey> keys, AuditRange range) throws IOException {
        return verify(folder, keys, range, KeptCheckpoints.NONE);
    }

    /** The same for a trail that has to be the one that these checkpoints vouch for too, which were kept elsewhere. */
    public static AuditReport verify(Path folder, List<VerificationKey> keys, AuditRange range, KeptCheckpoints kept)
            throws IOException {
        return new AuditVerifier(folder, keys, range, kept).run();
    }

    private AuditReport run() throws IOException {
        Optional<AuditFault> fault = Optional.empty();
        end = KnownEnd.of(folder);
        try (var checkpoints = CheckpointReader.open(folder)) {
            readAll(checkpoints);
        } catch (Found found) {
            fault = Optional.of(found.fault());
        }
        var covered = kept.covered(vouched);
        return new AuditReport(
                records,
                first,
                records == 0 ? 0 : head.sequence(),
                segments,
                heads.checked(),
                covered < first ? 0 : covered,
                fault,
                remarks);
    }

    /** What the checkpoints vouch for is read first, so that records which come meanwhile are only more. */
    private void readAll(CheckpointReader checkpoints) throws IOException, Found {
        kept.begin(keys);
        heads.read(checkpoints);
        if (checkpoints.hasRest() && heads.checked() > 0) {
            remarks.add("%s ends with half a checkpoint, which is being written or was torn"
                    .formatted(CheckpointReader.FILE));
        }
        uncovered = new Uncovered(heads.last().sequence());
        var all = wanted(Segment.in(folder));
        if (all.isEmpty()) {
            heads.requireNoRecords(folder);
            kept.requireAll(CheckpointReader.FILE, head);
            return;
        }
        begin(all.get(0));
        kept.beginBehind(all.get(0), head);
        for (int i = 0; i < all.size() && !isAtEnd(); i++) {
            var isLast = i + 1 == all.size();
            read(all.get(i), isLast ? Long.MAX_VALUE : all.get(i + 1).first());
        }
        var last = all.get(all.size() - 1);
        if (heads.last().sequence() > head.sequence() && !isAtEnd()) {
            throw new Found(
                    Kind.TRUNCATED,
                    last.name(),
                    0,
                    head.sequence() + 1,
                    "a checkpoint vouches for %d records, but the trail ends with record %d"
                            .formatted(heads.last().sequence(), head.sequence()));
        }
        if (!isAtEnd()) {
            kept.requireAll(last.name(), head);
        }
        kept.requireSome(last.name(), first);
        if (first > 1 && notes.prunedThrough() < first - 1 && range.from() <= 1) {
            throw new Found(
                    Kind.MISSING,
                    all.get(0).name(),
                    0,
                    1,
                    "the trail begins with record %d, and no record says that those before were removed"
                            .formatted(first));
        }
        if (range.from() > 1 && head.sequence() < range.from()) {
            throw noneOfTheRange(last, "ends with record " + head.sequence());
        }
        notes.requireCheckpointsKept(Math.max(first, range.from()));
        requireCovered();
    }

    private void requireCovered() throws Found {
        if (heads.checked() == 0) {
            return;
        }
        var fault = uncovered.fault();
        if (fault.isPresent()) {
            throw new Found(Kind.MISSING, CheckpointReader.FILE, 0, heads.last().sequence() + 1, fault.get());
        }
        uncovered.remark().ifPresent(remarks::add);
    }

    private Found noneOfTheRange(Segment segment, String where) {
        var wanted = range.to() == Long.MAX_VALUE
                ? "there is no record %d, nor any after it".formatted(range.from())
                : "there are no records %d to %d".formatted(range.from(), range.to());
        return new Found(Kind.MISSING, segment.name(), 0, range.from(), "%s: the trail %s".formatted(wanted, where));
    }

    /** Without the segments before the one where the wanted records begin, if a checkpoint says what stood before it. */
    private List<Segment> wanted(List<Segment> all) {
        for (int i = all.size() - 1; i > 0; i--) {
            var begin = all.get(i).first();
            if (begin <= range.from() && heads.at(begin - 1).isPresent()) {
                remarks.add("records before %d were not asked for".formatted(begin));
                return all.subList(i, all.size());
            }
        }
        return all;
    }

    /** Whether all that is wanted was read, up to a checkpoint. */
    private boolean isAtEnd() {
        return head.sequence() >= range.to() && heads.at(head.sequence()).isPresent() && !kept.awaitsMore(range, head);
    }

    private void begin(Segment oldest) throws Found {
        first = oldest.first();
        if (first <= 1) {
            first = 1;
            return;
        }
        if (range.to() < first) {
            throw noneOfTheRange(oldest, "begins with record " + first);
        }
        head = heads.at(first - 1)
                .orElseThrow(() -> new Found(
                        Kind.MISSING,
                        oldest.name(),
                        0,
                        1,
                        "the trail begins with record %d, and no checkpoint says what stood before it"
                                .formatted(oldest.first())));
        vouched = head.sequence();
        if (remarks.isEmpty()) {
            remarks.add("records 1 to %d were removed".formatted(first - 1));
        }
    }

    private void read(Segment segment, long nextFirst) throws IOException, Found {
        segments++;
        if (segment.first() != head.sequence() + 1) {
            throw outOfPlace(segment, 0, segment.first(), "the segment begins with record " + segment.first());
        }
        requireFile(segment);
        try (var reader = SegmentReader.open(segment.file())) {
            while (head.sequence() < nextFirst - 1 && !isAtEnd()) {
                var line = reader.next();
                if (line.isEmpty()) {
                    break;
                }
                check(segment, line.get());
            }
            if (!isAtEnd()) {
                remarkRest(segment, reader, nextFirst);
            }
        }
    }

    /** One that retention has just removed is told by the reading, as it is no tampering. */
    private void requireFile(Segment segment) throws Found {
        if (Files.exists(segment.file(), LinkOption.NOFOLLOW_LINKS)
                && !Files.isRegularFile(segment.file(), LinkOption.NOFOLLOW_LINKS)) {
            var what = Files.isSymbolicLink(segment.file()) ? "a symbolic link" : "no ordinary file";
            throw new Found(
                    Kind.CHANGED,
                    segment.name(),
                    0,
                    segment.first(),
                    "the segment is %s, but each one is written as a file of its own".formatted(what));
        }
    }

    private void check(Segment segment, SegmentReader.Line line) throws Found {
        AuditLine record;
        try {
            record = AuditLine.parse(line.bytes());
        } catch (ProtocolException noRecord) {
            throw new Found(
                    Kind.CHANGED,
                    segment.name(),
                    line.number(),
                    head.sequence() + 1,
                    String.valueOf(noRecord.getMessage()));
        }
        if (record.sequence() != head.sequence() + 1) {
            throw outOfPlace(segment, line.number(), record.sequence(), "record " + record.sequence() + " stands here");
        }
        var fault = record.faultAfter(head);
        if (fault.isPresent()) {
            throw changed(segment, line, record.sequence(), fault.get());
        }
        head = record.head();
        records++;
        compare(segment, line);
        notes.read(record, segment, line.number());
        if (end.isPresent() && end.get().isBehind(segment, line)) {
            uncovered.read(record, segment.first());
        }
    }

    private void compare(Segment segment, SegmentReader.Line line) throws Found {
        kept.compare(segment, line.number(), head);
        var signed = heads.at(head.sequence());
        if (signed.isEmpty()) {
            return;
        }
        if (!signed.get().equals(head)) {
            var message = "the chain was made anew: a checkpoint vouches for the hash %s, but here it is %s"
                    .formatted(signed.get().hash(), head.hash());
            throw changed(segment, line, head.sequence(), message);
        }
        vouched = head.sequence();
    }

    /** Records that were made anew fit each other, so only a checkpoint before shows which are not at fault. */
    private Found changed(Segment segment, SegmentReader.Line line, long sequence, String message) {
        var whole = vouched + 1 == sequence
                ? message
                : "%s; the fault lies between record %d and this one".formatted(message, vouched + 1);
        return new Found(Kind.CHANGED, segment.name(), line.number(), sequence, whole);
    }

    private Found outOfPlace(Segment segment, long line, long sequence, String what) {
        var expected = head.sequence() + 1;
        var kind = sequence > expected ? Kind.MISSING : Kind.REORDERED;
        return new Found(kind, segment.name(), line, expected, what + ", but record " + expected + " belongs here");
    }

    private void remarkRest(Segment segment, SegmentReader reader, long nextFirst) throws IOException {
        var rest = reader.remaining();
        if (rest > 0) {
            remarks.add(
                    nextFirst == Long.MAX_VALUE
                            ? "%s ends with %d bytes that are no whole record (yet)".formatted(segment.name(), rest)
                            : "%s ends with %d bytes that were left when writing failed and count for nothing"
                                    .formatted(segment.name(), rest));
        }
    }
}
