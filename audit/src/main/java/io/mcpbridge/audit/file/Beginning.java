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
            upkeep = new Upkeep(parts, trail, checkpoints, wake, recovery.open());
            var head = trail.head();
            tell(recovery, upkeep);
            end(recovery, upkeep);
            if (!trail.head().equals(head)) {
                trail.sync();
                upkeep.checkpoint(true);
            }
            upkeep.prune();
            return upkeep;
        } catch (IOException | RuntimeException failed) {
            // No checkpoint: the next start has to find all that this one could not mend.
            if (upkeep == null) {
                trail.close();
            } else {
                upkeep.closeFiles();
            }
            throw failed;
        }
    }

    /** Says what was found, if anything was. */
    private void tell(Recovery recovery, Upkeep upkeep) throws IOException {
        var found = new LinkedHashMap<>(recovery.findings());
        var openCalls = recovery.open().places().size();
        if (openCalls > 0) {
            found.put("open-calls", Integer.toString(openCalls));
        }
        if (found.isEmpty()) {
            return;
        }
        parts.logger()
                .log(
                        System.Logger.Level.WARNING,
                        "[mcp-bridge] the audit trail in '%s' was not left in peace: %s"
                                .formatted(parts.settings().path(), found));
        var note = new AuditNote("recovered", found);
        upkeep.write(List.of(parts.records().note(note, parts.timekeeper().now())));
    }

    /** Ends the calls that are open, in groups; each stays open until its exit is written. */
    private void end(Recovery recovery, Upkeep upkeep) throws IOException {
        var now = parts.timekeeper().now();
        var calls = List.copyOf(recovery.open().calls().entrySet());
        for (int i = 0; i < calls.size(); i += MAX_GROUP) {
            var group = calls.subList(i, Math.min(calls.size(), i + MAX_GROUP));
            var exits = new ArrayList<RecordBody>(group.size());
            for (var call : group) {
                exits.add(parts.records().inDoubt(recovery.enter(call.getValue()), now));
            }
            upkeep.write(exits);
            group.forEach(call -> upkeep.open().left(call.getKey()));
        }
    }
}
