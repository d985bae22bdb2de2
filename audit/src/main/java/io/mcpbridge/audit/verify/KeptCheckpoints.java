package io.mcpbridge.audit.verify;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.verify.AuditReport.Fault.Kind;
import io.mcpbridge.audit.verify.AuditVerifier.FaultFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Checkpoints of a trail that were copied to a place where its writer cannot write. The trail must match them even if
 * later signatures are valid. Immutable.
 *
 * <p>They may be in any order, repeated or incomplete, so that copies can be appended to each other.
 *
 * @param name the name of the file
 * @param notes the checkpoints
 * @param skipped the number of lines that are not part of a checkpoint, such as those of one that was copied while it
 *     was written
 */
public record KeptCheckpoints(String name, List<SignedCheckpoint> notes, long skipped) {
    /** No kept checkpoints. */
    public static final KeptCheckpoints NONE = new KeptCheckpoints("", List.of(), 0);

    public KeptCheckpoints {
        notes = List.copyOf(notes);
    }

    /**
     * Reads a copy of the file {@code checkpoints} of a trail, or parts of it; skips other lines.
     *
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if it has no checkpoint
     */
    public static KeptCheckpoints read(Path file) throws IOException {
        var notes = new ArrayList<SignedCheckpoint>();
        var window = new ArrayList<String>();
        long skipped = 0;
        try (var lines = FileLineReader.open(file.toRealPath(), 0, Long.MAX_VALUE)) {
            // A manual copy may lack the last line end.
            for (var line = lines.next(); line.isPresent(); line = lines.next().or(lines::rest)) {
                window.add(new String(line.get().bytes(), UTF_8));
                var note = note(window);
                note.ifPresent(notes::add);
                if (note.isPresent()) {
                    window.clear();
                } else if (window.size() == SignedCheckpoint.LINES) {
                    window.remove(0);
                    skipped++;
                }
            }
        }
        if (notes.isEmpty()) {
            throw new IllegalArgumentException("it has no whole checkpoint");
        }
        return new KeptCheckpoints(String.valueOf(file.getFileName()), notes, skipped + window.size());
    }

    /** The number of checkpoints. */
    public int size() {
        return notes.size();
    }

    /** The last record that they cover; 0 if there is none. */
    public long last() {
        return notes.stream().mapToLong(note -> note.size()).max().orElse(0);
    }

    private static Optional<SignedCheckpoint> note(List<String> lines) {
        if (lines.size() < SignedCheckpoint.LINES) {
            return Optional.empty();
        }
        try {
            // The origin of our checkpoints is the name of the key; another origin is an incomplete line of the
            // checkpoint before.
            return Optional.of(SignedCheckpoint.of(lines))
                    .filter(note -> note.origin().equals(note.name()))
                    .filter(SignedCheckpoint::isWhole);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Compares the kept checkpoints with a trail while the trail is read. For one thread. */
    static final class Comparison {
        private final KeptCheckpoints kept;
        private final TreeMap<Long, String> heads = new TreeMap<>();
        private long matched;
        private boolean differs;

        Comparison(KeptCheckpoints kept) {
            this.kept = kept;
        }

        /** Checks that the key signed them, and that no two have different hashes of one record. */
        void begin(List<VerificationKey> keys) throws FaultFoundException {
            for (var note : kept.notes()) {
                var size = note.size();
                if (!keys.isEmpty() && keys.stream().noneMatch(key -> key.verifies(note))) {
                    throw differs(
                            Kind.BAD_SIGNATURE,
                            kept.name(),
                            size,
                            "the kept checkpoint for record %d is not signed with the key: it is one of another trail, or the key was replaced"
                                    .formatted(size));
                }
                var other = heads.putIfAbsent(size, note.head().hash());
                if (other != null && !other.equals(note.head().hash())) {
                    throw differs(
                            Kind.CHANGED,
                            kept.name(),
                            size,
                            "two of the kept checkpoints have different hashes for record %d: the trail was rewritten between them"
                                    .formatted(size));
                }
            }
        }

        /** Receives the head before the oldest segment of the trail. */
        void beginBehind(Segment oldest, ChainHead head) throws FaultFoundException {
            if (head.sequence() > 0) {
                compare(oldest, 0, head);
            }
        }

        /** Compares the head of the chain after the record on this line. */
        void compare(Segment segment, long line, ChainHead head) throws FaultFoundException {
            var hash = heads.get(head.sequence());
            if (hash == null) {
                return;
            }
            if (!hash.equals(head.hash())) {
                differs = true;
                throw new FaultFoundException(
                        Kind.CHANGED,
                        segment.name(),
                        line,
                        head.sequence(),
                        "the trail was rewritten: a checkpoint in '%s' has the hash %s, but here it is %s; the fault lies between record %d and this one"
                                .formatted(kept.name(), hash, head.hash(), matched + 1));
            }
            matched = head.sequence();
        }

        /** Whether a kept checkpoint after the range covers records of the range. */
        boolean awaitsMore(AuditVerifier.Range range, ChainHead head) {
            var next = heads.ceilingKey(range.to());
            return next != null && head.sequence() < next;
        }

        /** Checks that the trail, after it was read to its end, has all records that the kept checkpoints cover. */
        void requireAll(String file, ChainHead head) throws FaultFoundException {
            var last = kept.last();
            if (last > head.sequence()) {
                throw differs(
                        Kind.TRUNCATED,
                        file,
                        head.sequence() + 1,
                        "a checkpoint in '%s' covers %d records, but the trail ends with record %d"
                                .formatted(kept.name(), last, head.sequence()));
            }
        }

        /** Checks that at least one kept checkpoint was compared. */
        void requireSome(String file, long first) throws FaultFoundException {
            var last = kept.last();
            if (last > 0 && matched == 0) {
                throw differs(
                        Kind.MISSING,
                        file,
                        last,
                        "the checkpoints in '%s' cover records up to %d, but the trail that was read begins with record %d: nothing is left to compare, so take a newer copy"
                                .formatted(kept.name(), last, first));
            }
        }

        /** The last covered record; if the trail differs from the kept checkpoints, the last one that matched. */
        long covered(long confirmed) {
            return differs ? Math.min(confirmed, matched) : confirmed;
        }

        private FaultFoundException differs(Kind kind, String file, long sequence, String message) {
            differs = true;
            return new FaultFoundException(kind, file, 0, sequence, message);
        }
    }
}
