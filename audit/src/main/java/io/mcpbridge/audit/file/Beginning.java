package io.mcpbridge.audit.file;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.audit.internal.OddTrail;
import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.spi.AuditNote;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Takes up a trail: ends the calls that the last writer left open, and says in the trail what was wrong with it. */
final class Beginning {
    private static final int MAX_GROUP = 512;
    private static final int MOST_FILES = 5;

    private final WriterParts parts;
    private final Map<String, String> tightened;
    private final Optional<AuditNote> missing;

    /**
     * Writes nothing yet.
     *
     * @param tightened the files that others could read until now, with their rights
     * @param missing says that there was a trail once
     */
    Beginning(WriterParts parts, Map<String, String> tightened, Optional<AuditNote> missing) {
        this.parts = parts;
        this.tightened = tightened;
        this.missing = missing;
    }

    /** Reads, mends and goes on; what it writes is on the device when it returns. */
    Upkeep begin(Runnable wake) throws IOException {
        var settings = parts.settings();
        var findings = new LinkedHashMap<String, String>();
        var known = KnownCheckpoints.read(settings.path(), parts.key().all(), findings);
        var vouching = new Vouching(settings, parts.key(), known);
        vouching.require();
        var recovery = Recovery.of(settings.path(), parts.disk(), known, findings);
        var usedKey = LastKey.in(settings.path());
        var trail = recovery.trail();
        Upkeep upkeep = null;
        try {
            var checkpoints = Checkpoints.open(settings.path(), parts.disk(), parts.key(), known);
            upkeep = new Upkeep(parts, trail, checkpoints, wake, recovery.open());
            if (trail.head().sequence() == 0 && !known.areBelieved()) {
                checkpoints.begin();
            }
            parts.records().keepKey();
            var otherKey = usedKey.otherThan(parts.records());
            var notes = notes(findings, recovery, vouching);
            otherKey.ifPresent(notes::add);
            tell(notes, upkeep);
            end(recovery, upkeep);
            if (trail.head().sequence() > checkpoints.size()) {
                trail.sync();
                upkeep.checkpoint();
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

    /** What the trail has to say of how it was found, if that was not as a writer leaves it that ends in peace. */
    private List<AuditNote> notes(Map<String, String> findings, Recovery recovery, Vouching vouching) {
        var notes = new ArrayList<AuditNote>();
        var found = new LinkedHashMap<>(findings);
        var openCalls = recovery.open().places().size();
        if (openCalls > 0) {
            found.put("open-calls", Integer.toString(openCalls));
        }
        missing.ifPresent(notes::add);
        if (!found.isEmpty()) {
            notes.add(new AuditNote("recovered", found));
        }
        vouching.lost(recovery.head()).ifPresent(notes::add);
        vouching.otherKey().ifPresent(notes::add);
        if (!tightened.isEmpty()) {
            notes.add(rightsTightened());
        }
        return notes;
    }

    private AuditNote rightsTightened() {
        var words = new TreeMap<>(tightened)
                .entrySet().stream()
                        .limit(MOST_FILES)
                        .map(file -> file.getKey() + "=" + file.getValue())
                        .collect(joining(", "));
        var details = Map.of("count", Integer.toString(tightened.size()), "first", words);
        return new AuditNote("rights-tightened", details);
    }

    private void tell(List<AuditNote> notes, Upkeep upkeep) throws IOException {
        if (notes.isEmpty()) {
            return;
        }
        var now = parts.timekeeper().now();
        for (var note : notes) {
            OddTrail.warn(parts.logger(), parts.settings().path().toString(), note);
        }
        upkeep.write(notes.stream().map(note -> parts.records().note(note, now)).toList());
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
