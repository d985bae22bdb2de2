package io.mcpbridge.audit.verify;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.audit.verify.AuditReport.Fault.Kind;
import io.mcpbridge.audit.verify.AuditVerifier.FaultFoundException;
import java.util.Optional;

/** The notes of a trail about itself, as far as the verifier needs them. For one thread. */
final class TrailNotes {
    private long prunedThrough;
    private Optional<FaultFoundException> lost = Optional.empty();
    private long lostThrough;

    /** Takes a record that fits the chain. */
    void read(AuditLine record, Segment segment, long line) {
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

    /** The last record that the bridge removed since it was too old or too much. */
    long prunedThrough() {
        return prunedThrough;
    }

    /** Fails for a trail that lost the checkpoints of a record from {@code first} on. */
    void requireCheckpointsKept(long first) throws FaultFoundException {
        if (lost.isPresent() && lostThrough >= first) {
            throw lost.get();
        }
    }

    private static long number(AuditLine note, String name) {
        var number = note.text("details", name).filter(text -> text.matches("\\d{1,18}"));
        return number.map(Long::parseLong).orElse(0L);
    }
}
