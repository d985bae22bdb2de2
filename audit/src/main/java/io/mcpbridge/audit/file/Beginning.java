package io.mcpbridge.audit.file;

import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.spi.AuditNote;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** Takes up a trail: ends the calls that the last writer left open, and says in the trail what was wrong with it. */
final class Beginning {
    private static final int MAX_GROUP = 512;

    private final WriterParts parts;

    Beginning(WriterParts parts) {
        this.parts = parts;
    }

    /** Reads, mends and goes on; what it writes is on the device when it returns. */
    Upkeep begin(Runnable wake) throws IOException {
        var settings = parts.settings();
        var recovery = Recovery.of(settings.path(), parts.disk(), parts.key().publicHalf());
        var trail = recovery.trail();
        Upkeep upkeep = null;
        try {
            var checkpoints = Checkpoints.open(settings.path(), parts.disk(), parts.key(), recovery.checkpoints());
            upkeep = new Upkeep(parts, trail, checkpoints, wake);
            var records = records(recovery);
            for (int i = 0; i < records.size(); i += MAX_GROUP) {
                upkeep.write(records.subList(i, Math.min(records.size(), i + MAX_GROUP)));
            }
            trail.sync();
            if (!records.isEmpty()) {
                upkeep.checkpoint(true);
            }
            upkeep.prune();
            return upkeep;
        } catch (IOException | RuntimeException failed) {
            if (upkeep == null) {
                trail.close();
            } else {
                upkeep.close();
            }
            throw failed;
        }
    }

    private List<RecordBody> records(Recovery recovery) throws IOException {
        var now = parts.timekeeper().now();
        var places = List.copyOf(recovery.open().places());
        var found = new LinkedHashMap<>(recovery.findings());
        if (!places.isEmpty()) {
            found.put("open-calls", Integer.toString(places.size()));
        }
        var records = new ArrayList<RecordBody>();
        if (!found.isEmpty()) {
            parts.logger()
                    .log(
                            System.Logger.Level.WARNING,
                            "[mcp-bridge] the audit trail in '%s' was not left in peace: %s"
                                    .formatted(parts.settings().path(), found));
            records.add(parts.records().note(new AuditNote("recovered", found), now));
        }
        for (var place : places) {
            records.add(parts.records().inDoubt(recovery.enter(place), now));
        }
        return records;
    }
}
