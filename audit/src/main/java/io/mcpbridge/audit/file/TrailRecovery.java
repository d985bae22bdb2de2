package io.mcpbridge.audit.file;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.audit.internal.TrailStore;
import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.spi.AuditSink.AuditNote;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Opens the trail in a folder for writing: repairs its end, ends the calls that the last writer left open, and writes
 * notes about each irregularity.
 *
 * @param tightened the files that other users could read until now, with their former permissions
 * @param missing the note that the trail of an existing key is missing
 */
record TrailRecovery(FileTrailStore.Context context, Map<String, String> tightened, Optional<AuditNote> missing) {
    private static final int MAX_GROUP = 512;
    private static final int MAX_FILES_NAMED = 5;

    /** Reads the trail and repairs its end; all that it writes is on the device when it returns. */
    FileTrailStore open(Runnable wake) throws IOException {
        var settings = context.settings();
        var findings = new LinkedHashMap<String, String>();
        var trusted = TrustedCheckpoints.read(settings, context.key(), findings);
        trusted.require();
        var scan = TrailScan.of(settings.path(), context.disk(), trusted, findings);
        var segments = scan.segmentWriter();
        FileTrailStore store = null;
        try {
            var checkpoints = new CheckpointWriter(context, segments, trusted, scan.open(), wake);
            store = new FileTrailStore(context, segments, checkpoints, scan.open(), wake);
            if (segments.head().sequence() == 0 && !trusted.isAny()) {
                checkpoints.writeFirst();
            }
            context.records().keepKey();
            var notes = notes(findings, scan, trusted);
            write(notes, store);
            endOpenCalls(scan, store);
            if (checkpoints.isNeeded()) {
                segments.sync();
                store.checkpoint();
            }
            store.prune();
            return store;
        } catch (IOException | RuntimeException e) {
            // No checkpoint: the next start has to find everything that this one could not repair.
            if (store == null) {
                segments.close();
            } else {
                store.closeFiles();
            }
            throw e;
        }
    }

    private List<AuditNote> notes(Map<String, String> findings, TrailScan scan, TrustedCheckpoints trusted) {
        var notes = new ArrayList<AuditNote>();
        var found = new LinkedHashMap<>(findings);
        int openCalls = scan.open().calls().size();
        if (openCalls > 0) {
            found.put("open-calls", Integer.toString(openCalls));
        }
        missing.ifPresent(notes::add);
        if (!found.isEmpty()) {
            notes.add(new AuditNote("recovered", found));
        }
        trusted.lost(scan.head()).ifPresent(notes::add);
        trusted.keyChange().ifPresent(notes::add);
        if (!tightened.isEmpty()) {
            notes.add(rightsTightened());
        }
        return notes;
    }

    private AuditNote rightsTightened() {
        var first = new TreeMap<>(tightened)
                .entrySet().stream()
                        .limit(MAX_FILES_NAMED)
                        .map(file -> file.getKey() + "=" + file.getValue())
                        .collect(joining(", "));
        var details = Map.of("count", Integer.toString(tightened.size()), "first", first);
        return new AuditNote("rights-tightened", details);
    }

    private void write(List<AuditNote> notes, FileTrailStore store) throws IOException {
        if (notes.isEmpty()) {
            return;
        }
        var now = context.timekeeper().now();
        for (var note : notes) {
            TrailStore.warn(context.logger(), context.settings().path().toString(), note);
        }
        store.write(
                notes.stream().map(note -> context.records().note(note, now)).toList());
    }

    /** Ends open calls in groups; a call stays open until its exit is written. */
    private void endOpenCalls(TrailScan scan, FileTrailStore store) throws IOException {
        var now = context.timekeeper().now();
        var calls = List.copyOf(scan.open().calls().entrySet());
        for (int i = 0; i < calls.size(); i += MAX_GROUP) {
            var group = calls.subList(i, Math.min(calls.size(), i + MAX_GROUP));
            var exits = new ArrayList<RecordBody>(group.size());
            for (var call : group) {
                exits.add(context.records().inDoubt(scan.enter(call.getValue()), now));
            }
            store.write(exits);
            group.forEach(call -> scan.open().left(call.getKey()));
        }
    }
}
