package io.mcpbridge.audit.verify;

import io.mcpbridge.audit.internal.UncoveredRecords;
import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.audit.verify.AuditReport.Fault.Kind;
import io.mcpbridge.failure.ProtocolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Verifies a trail of files against its hash chain and its signed checkpoints, also while it is written. It reads the
 * trail once, as a stream. An instance serves one run.
 *
 * <p>It finds records up to the last checkpoint that were changed, removed, added or moved without the signing key. The
 * hashes alone do not show the exact place, because an attacker can recompute the hashes after a changed record up to
 * the next checkpoint. Without keys it checks the chain only, which anyone with write access to the folder can
 * recompute.
 */
public final class AuditVerifier {
    private final Path folder;
    private final List<VerificationKey> keys;
    private final VerifiedHeads heads;
    private final KeptCheckpoints.Comparison kept;
    private final Range range;
    private final TrailNotes notes = new TrailNotes();
    private final List<String> remarks = new ArrayList<>();
    private Optional<KnownEnd> end = Optional.empty();
    private Optional<AuditReport.Fault> faultOfCheckpoints = Optional.empty();
    private UncoveredRecords uncovered = new UncoveredRecords(0);
    private ChainHead head = ChainHead.START;
    /** The last record whose hash a checkpoint confirms. */
    private long confirmed;

    private long first;
    private long records;
    private int segments;

    private AuditVerifier(Path folder, List<VerificationKey> keys, Range range, KeptCheckpoints kept) {
        this.folder = folder;
        this.keys = List.copyOf(keys);
        this.heads = new VerifiedHeads(keys);
        this.kept = new KeptCheckpoints.Comparison(kept);
        this.range = range;
    }

    /**
     * Verifies the trail in a folder.
     *
     * @param keys the accepted keys; one of them must have signed each checkpoint
     * @throws IOException if the trail cannot be read
     */
    public static AuditReport verify(Path folder, List<VerificationKey> keys) throws IOException {
        return verify(folder, keys, Range.ALL, KeptCheckpoints.NONE);
    }

    /**
     * Verifies a range of records, extended to the checkpoints around it, also against checkpoints that were kept
     * elsewhere.
     */
    public static AuditReport verify(Path folder, List<VerificationKey> keys, Range range, KeptCheckpoints kept)
            throws IOException {
        return new AuditVerifier(folder, keys, range, kept).run();
    }

    private AuditReport run() throws IOException {
        Optional<AuditReport.Fault> fault = Optional.empty();
        end = KnownEnd.of(folder);
        try (var checkpoints = CheckpointReader.open(folder)) {
            readAll(checkpoints);
            fault = faultOfCheckpoints;
        } catch (FaultFoundException found) {
            fault = Optional.of(firstOf(found.fault()));
        }
        var covered = kept.covered(confirmed);
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

    /** The first of a fault in the records and one in the checkpoints; the other one becomes a remark. */
    private AuditReport.Fault firstOf(AuditReport.Fault ofRecords) {
        if (faultOfCheckpoints.isEmpty()) {
            return ofRecords;
        }
        var isFirst = ofRecords.sequence() <= heads.last().sequence();
        remarks.add("beside that: " + (isFirst ? faultOfCheckpoints.get() : ofRecords));
        return isFirst ? ofRecords : faultOfCheckpoints.get();
    }

    /** Reads the checkpoints first, so that records written meanwhile only add to the trail. */
    private void readAll(CheckpointReader checkpoints) throws IOException, FaultFoundException {
        kept.begin(keys);
        faultOfCheckpoints = heads.read(checkpoints);
        if (faultOfCheckpoints.isEmpty() && checkpoints.hasRest() && heads.checked() > 0) {
            remarks.add("%s ends with half a checkpoint, which is being written or was torn"
                    .formatted(CheckpointReader.FILE));
        }
        uncovered = new UncoveredRecords(heads.last().sequence());
        var all = segmentsOfRange(Segment.in(folder));
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
            var message = "a checkpoint covers %d records, but the trail ends with record %d"
                    .formatted(heads.last().sequence(), head.sequence());
            throw new FaultFoundException(Kind.TRUNCATED, last.name(), 0, head.sequence() + 1, message);
        }
        if (!isAtEnd()) {
            kept.requireAll(last.name(), head);
        }
        kept.requireSome(last.name(), first);
        if (first > 1 && notes.prunedThrough < first - 1 && range.from() <= 1) {
            throw missingBefore(all.get(0), "no note says that those before were removed");
        }
        if (range.from() > 1 && head.sequence() < range.from()) {
            throw noneOfTheRange(last, "ends with record " + head.sequence());
        }
        notes.requireCheckpointsKept(Math.max(first, range.from()));
        requireCovered();
    }

    private void requireCovered() throws FaultFoundException {
        if (heads.checked() == 0 || faultOfCheckpoints.isPresent()) {
            return;
        }
        var fault = uncovered.fault();
        if (fault.isPresent()) {
            throw new FaultFoundException(
                    Kind.MISSING, CheckpointReader.FILE, 0, heads.last().sequence() + 1, fault.get());
        }
        uncovered.remark().ifPresent(remarks::add);
    }

    private FaultFoundException noneOfTheRange(Segment segment, String where) {
        var wanted = range.to() == Long.MAX_VALUE
                ? "there is no record %d, nor any after it".formatted(range.from())
                : "there are no records %d to %d".formatted(range.from(), range.to());
        return new FaultFoundException(
                Kind.MISSING, segment.name(), 0, range.from(), "%s: the trail %s".formatted(wanted, where));
    }

    /** The segments from the start of the range on, if a checkpoint covers all records before; else all segments. */
    private List<Segment> segmentsOfRange(List<Segment> all) {
        for (int i = all.size() - 1; i > 0; i--) {
            var begin = all.get(i).first();
            if (begin <= range.from() && heads.at(begin - 1).isPresent()) {
                remarks.add("records before %d were not asked for".formatted(begin));
                return all.subList(i, all.size());
            }
        }
        return all;
    }

    /** Whether the range was read, including the next checkpoint. */
    private boolean isAtEnd() {
        return head.sequence() >= range.to() && heads.at(head.sequence()).isPresent() && !kept.awaitsMore(range, head);
    }

    private void begin(Segment oldest) throws FaultFoundException {
        first = oldest.first();
        if (first <= 1) {
            first = 1;
            return;
        }
        if (range.to() < first) {
            throw noneOfTheRange(oldest, "begins with record " + first);
        }
        head = heads.at(first - 1).orElseThrow(() -> missingBefore(oldest, "no checkpoint covers what was before it"));
        confirmed = head.sequence();
        if (remarks.isEmpty()) {
            remarks.add("records 1 to %d were removed".formatted(first - 1));
        }
    }

    private FaultFoundException missingBefore(Segment oldest, String why) {
        var message = "the trail begins with record %d, and %s".formatted(first, why);
        return new FaultFoundException(Kind.MISSING, oldest.name(), 0, 1, message);
    }

    private void read(Segment segment, long nextFirst) throws IOException, FaultFoundException {
        segments++;
        if (segment.first() != head.sequence() + 1) {
            throw outOfPlace(segment, 0, segment.first(), "the segment begins with record " + segment.first());
        }
        var oddFile = segment.irregularFileFault();
        if (oddFile.isPresent()) {
            throw new FaultFoundException(Kind.CHANGED, segment.name(), 0, segment.first(), oddFile.get());
        }
        try (var reader = FileLineReader.open(segment.file(), 0, Long.MAX_VALUE)) {
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

    private void check(Segment segment, FileLineReader.Line line) throws FaultFoundException {
        ParsedRecord record;
        try {
            record = ParsedRecord.parse(line.bytes());
        } catch (ProtocolException e) {
            throw new FaultFoundException(
                    Kind.CHANGED, segment.name(), line.number(), head.sequence() + 1, String.valueOf(e.getMessage()));
        }
        if (record.sequence() != head.sequence() + 1) {
            throw outOfPlace(segment, line.number(), record.sequence(), "record " + record.sequence() + " is here");
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

    private void compare(Segment segment, FileLineReader.Line line) throws FaultFoundException {
        kept.compare(segment, line.number(), head);
        var signed = heads.at(head.sequence());
        if (signed.isEmpty()) {
            return;
        }
        if (!signed.get().equals(head)) {
            var message = "the chain was rewritten: a checkpoint has the hash %s, but here it is %s"
                    .formatted(signed.get().hash(), head.hash());
            throw changed(segment, line, head.sequence(), message);
        }
        confirmed = head.sequence();
    }

    /**
     * Reports a changed record. Recomputed hashes fit each other, so the fault may be anywhere after the last confirmed
     * record.
     */
    private FaultFoundException changed(Segment segment, FileLineReader.Line line, long sequence, String message) {
        var whole = confirmed + 1 == sequence
                ? message
                : "%s; the fault lies between record %d and this one".formatted(message, confirmed + 1);
        return new FaultFoundException(Kind.CHANGED, segment.name(), line.number(), sequence, whole);
    }

    private FaultFoundException outOfPlace(Segment segment, long line, long sequence, String what) {
        var expected = head.sequence() + 1;
        var kind = sequence > expected ? Kind.MISSING : Kind.REORDERED;
        return new FaultFoundException(
                kind, segment.name(), line, expected, what + ", but record " + expected + " belongs here");
    }

    private void remarkRest(Segment segment, FileLineReader reader, long nextFirst) throws IOException {
        var rest = reader.remaining();
        if (rest > 0) {
            remarks.add(
                    nextFirst == Long.MAX_VALUE
                            ? "%s ends with %d bytes that are no whole record (yet)".formatted(segment.name(), rest)
                            : "%s ends with %d bytes that were left when a write failed and do not count"
                                    .formatted(segment.name(), rest));
        }
    }

    /** The end of a trail before its checkpoints were read. Later records may have checkpoints that were not read. */
    private record KnownEnd(Segment last, long size) {

        /** The current end of the trail; empty if there is no segment. */
        static Optional<KnownEnd> of(Path folder) throws IOException {
            var all = Segment.in(folder);
            if (all.isEmpty()) {
                return Optional.empty();
            }
            var last = all.get(all.size() - 1);
            try {
                return Optional.of(new KnownEnd(last, Files.size(last.file())));
            } catch (NoSuchFileException e) {
                return Optional.empty();
            }
        }

        /** Whether a line is before this end. */
        boolean isBehind(Segment segment, FileLineReader.Line line) {
            return segment.first() < last.first() || (segment.first() == last.first() && line.offset() < size);
        }
    }

    /** Collects the notes of a trail that the verifier needs. For one thread. */
    private static final class TrailNotes {
        /** The last record that retention removed, according to a note. */
        private long prunedThrough;

        private Optional<FaultFoundException> lost = Optional.empty();
        private long lostThrough;

        /** Processes a record that fits the chain. */
        void read(ParsedRecord record, Segment segment, long line) {
            if (record.type() != RecordType.NOTE) {
                return;
            }
            var kind = record.text("kind").orElse("");
            if (kind.equals("pruned")) {
                prunedThrough = Math.max(prunedThrough, number(record, "through"));
            } else if (kind.equals("checkpoints-lost")) {
                lostThrough = number(record, "through");
                lost = Optional.of(new FaultFoundException(
                        Kind.MISSING,
                        segment.name(),
                        line,
                        record.sequence(),
                        "the checkpoints of records %d to %d were missing when the trail was opened here; nothing shows that these records are as they were written"
                                .formatted(number(record, "vouched") + 1, lostThrough)));
            }
        }

        /** Fails for a trail that lost the checkpoints of a record from {@code first} on. */
        void requireCheckpointsKept(long first) throws FaultFoundException {
            if (lost.isPresent() && lostThrough >= first) {
                throw lost.get();
            }
        }

        private static long number(ParsedRecord note, String name) {
            var number = note.text("details", name).filter(text -> text.matches("\\d{1,18}"));
            return number.map(Long::parseLong).orElse(0L);
        }
    }

    /** Ends a verification at the first fault; never thrown out of this package. */
    static final class FaultFoundException extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient AuditReport.Fault fault;

        FaultFoundException(Kind kind, String file, long line, long sequence, String message) {
            super(message, null, false, false);
            this.fault = new AuditReport.Fault(kind, file, line, sequence, message);
        }

        AuditReport.Fault fault() {
            return fault;
        }
    }

    /**
     * The records of a trail to verify.
     *
     * @param from the sequence of the first record, from 1
     * @param to the sequence of the last record
     */
    public record Range(long from, long to) {

        /** All records. */
        public static final Range ALL = new Range(1, Long.MAX_VALUE);

        public Range {
            if (from < 1 || to < from) {
                throw new IllegalArgumentException(
                        "records %d to %d are none: the first is 1, and the last is not before it".formatted(from, to));
            }
        }
    }
}
