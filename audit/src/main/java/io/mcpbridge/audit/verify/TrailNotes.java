package io.mcpbridge.audit.verify;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.audit.verify.AuditFault.Kind;
import java.util.Map;
import java.util.Optional;

/** What the bridge has said in the trail about the trail. For one thread at a time. */
final class TrailNotes {
    private long prunedThrough;
    private Optional<Found> lost = Optional.empty();
    private long lostThrough;

    /** Takes in a record that fits the chain. */
    void read(AuditLine record, Segment segment, long line) {
        if (record.type() != RecordType.NOTE) {
            return;
        }
        var kind = record.text("kind").orElse("");
        if (kind.equals("pruned")) {
            prunedThrough = Math.max(prunedThrough, number(record, "through"));
        } else if (kind.equals("checkpoints-lost")) {
            lostThrough = number(record, "through");
            lost = Optional.of(new Found(
                    Kind.MISSING,
                    segment.name(),
                    line,
                    record.sequence(),
                    "the checkpoints of records %d to %d were gone when the trail was taken up here; nothing shows that these records are what was written before"
                            .formatted(number(record, "vouched") + 1, lostThrough)));
        }
    }

    /** Up to which record the bridge has removed what was too old or too much. */
    long prunedThrough() {
        return prunedThrough;
    }

    /** Finds fault with a trail that was robbed of the checkpoints of a record from {@code first} on. */
    void requireCheckpointsKept(long first) throws Found {
        if (lost.isPresent() && lostThrough >= first) {
            throw lost.get();
        }
    }

    private static long number(AuditLine note, String name) {
        return note.data().get("details") instanceof Map<?, ?> details
                        && details.get(name) instanceof String text
                        && text.matches("\\d{1,18}")
                ? Long.parseLong(text)
                : 0;
    }
}
