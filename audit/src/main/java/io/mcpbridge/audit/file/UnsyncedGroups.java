package io.mcpbridge.audit.file;

import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.spi.AuditNote;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Groups of which nobody knows whether they are on the device, until the trail says so itself. For one thread at a time. */
final class UnsyncedGroups {
    private final AuditRecords records;
    private final List<AuditNote> untold = new ArrayList<>();

    UnsyncedGroups(AuditRecords records) {
        this.records = records;
    }

    /** What was written after {@code before} and up to {@code head} could not be synced. */
    void add(ChainHead before, ChainHead head, IOException why) {
        var details = Map.of(
                "from", Long.toString(before.sequence() + 1),
                "to", Long.toString(head.sequence()),
                "reason", String.valueOf(why.getMessage()));
        untold.add(new AuditNote("sync-failed", details));
    }

    /** Whether the trail has told of all of them. */
    boolean areTold() {
        return untold.isEmpty();
    }

    /** The records that tell of them. */
    List<RecordBody> records(Instant now) {
        return untold.stream().map(each -> records.note(each, now)).toList();
    }

    /** The trail has these records now. */
    void told() {
        untold.clear();
    }
}
