package io.mcpbridge.audit.verify;

import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.verify.AuditFault.Kind;
import java.util.List;
import java.util.TreeMap;

/** Compares one trail with checkpoints that were kept elsewhere, while it is read. For one thread. */
final class KeptComparison {
    private final KeptCheckpoints kept;
    private final TreeMap<Long, String> heads = new TreeMap<>();
    private long matched;
    private boolean differs;

    KeptComparison(KeptCheckpoints kept) {
        this.kept = kept;
    }

    /** Whoever has exchanged the key cannot have signed them, and nobody signs two hashes of one record. */
    void begin(List<VerificationKey> keys) throws Found {
        for (var note : kept.notes()) {
            var size = note.checkpoint().size();
            if (!keys.isEmpty() && keys.stream().noneMatch(key -> key.vouchesFor(note))) {
                throw differs(
                        Kind.BAD_SIGNATURE,
                        kept.name(),
                        size,
                        "the kept checkpoint for record %d is not signed with the key: it is one of another trail, or the key was exchanged"
                                .formatted(size));
            }
            var other = heads.putIfAbsent(size, note.checkpoint().head());
            if (other != null && !other.equals(note.checkpoint().head())) {
                throw differs(
                        Kind.CHANGED,
                        kept.name(),
                        size,
                        "two of the kept checkpoints vouch for record %d with different hashes: the trail was made anew between them"
                                .formatted(size));
            }
        }
    }

    /** The trail begins behind a record whose hash is this. */
    void beginBehind(Segment oldest, ChainHead head) throws Found {
        if (head.sequence() > 0) {
            compare(oldest, 0, head);
        }
    }

    /** The chain stands there behind the record on a line. */
    void compare(Segment segment, long line, ChainHead head) throws Found {
        var hash = heads.get(head.sequence());
        if (hash == null) {
            return;
        }
        if (!hash.equals(head.hash())) {
            differs = true;
            throw new Found(
                    Kind.CHANGED,
                    segment.name(),
                    line,
                    head.sequence(),
                    "the trail was made anew: a checkpoint in '%s' vouches for the hash %s, but here it is %s; the fault lies between record %d and this one"
                            .formatted(kept.name(), hash, head.hash(), matched + 1));
        }
        matched = head.sequence();
    }

    /** Whether one of them vouches for a record that is wanted only together with others, which are still to be read. */
    boolean awaitsMore(AuditRange range, ChainHead head) {
        var next = heads.ceilingKey(range.to());
        return next != null && head.sequence() < next;
    }

    /** The trail was read to its end, which comes before no record that they vouch for. */
    void requireAll(String file, ChainHead head) throws Found {
        var last = kept.last();
        if (last > head.sequence()) {
            throw differs(
                    Kind.TRUNCATED,
                    file,
                    head.sequence() + 1,
                    "a checkpoint in '%s' vouches for %d records, but the trail ends with record %d"
                            .formatted(kept.name(), last, head.sequence()));
        }
    }

    /** Something of what was read was compared. */
    void requireSome(String file, long first) throws Found {
        var last = kept.last();
        if (last > 0 && matched == 0) {
            throw differs(
                    Kind.MISSING,
                    file,
                    last,
                    "the checkpoints in '%s' vouch for records up to %d, but what was read begins with record %d: nothing is left to compare, so take a newer copy"
                            .formatted(kept.name(), last, first));
        }
    }

    /** Where a trail differs that its own checkpoints vouch for, these say how far it is the one that was written. */
    long covered(long vouched) {
        return differs ? Math.min(vouched, matched) : vouched;
    }

    private Found differs(Kind kind, String file, long sequence, String message) {
        differs = true;
        return new Found(kind, file, 0, sequence, message);
    }
}
