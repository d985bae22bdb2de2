package io.mcpbridge.audit.file;

import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.audit.verify.Segment;
import io.mcpbridge.spi.AuditNote;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Writes groups with what belongs to them: syncs, checkpoints, new segments, the removal of old ones. For one thread at a
 * time; none of its failures but that of a group itself keeps records from being written.
 */
final class Upkeep implements AutoCloseable {
    private static final Duration RESUME_EVERY = Duration.ofMillis(200);
    private static final Duration TRY_AGAIN = Duration.ofSeconds(1);

    private static final String SYNCING = "syncing";

    private final WriterParts parts;
    private final FileAuditSettings settings;
    private final Trail trail;
    private final Checkpoints checkpoints;
    private final Retention retention;
    private final OpenCalls open;
    private final List<AuditNote> untold = new ArrayList<>();
    private final boolean syncsEachGroup;
    private final Due sync;
    private final Pace pace;
    private final Due retry;
    private final Due rotation;
    private long resumeSince;

    Upkeep(WriterParts parts, Trail trail, Checkpoints checkpoints, Runnable wake, OpenCalls open) {
        this.parts = parts;
        this.settings = parts.settings();
        this.trail = trail;
        this.checkpoints = checkpoints;
        this.open = open;
        this.retention = new Retention(settings);
        this.syncsEachGroup = settings.durability() == FileAuditSettings.Durability.EACH_GROUP;
        this.sync = new Due(parts.timekeeper(), settings.syncEvery(), wake);
        this.pace = new Pace(parts.timekeeper(), wake);
        this.retry = new Due(parts.timekeeper(), TRY_AGAIN, wake);
        this.rotation = new Due(parts.timekeeper(), TRY_AGAIN, wake);
        this.resumeSince = parts.timekeeper().nanoTime() - RESUME_EVERY.toNanos();
    }

    /** The calls whose enter is in the trail and whose exit is not. */
    OpenCalls open() {
        return open;
    }

    /** Makes room for a group. */
    void before() {
        if (retry.isDue()) {
            retry.done();
        }
        if (trail.size() >= settings.segmentSize() && !rotation.isWaiting()) {
            rotate();
        } else if (trail.isBetweenSegments() && trail.head().sequence() > checkpoints.size()) {
            // The segment was left since it failed; no other one is begun before it has its checkpoint, if that can be.
            checkpoint(true);
        }
    }

    /** Writes a group that somebody waits for, as durable as the settings ask for it; after a failure none of it is there. */
    Trail.Group write(List<RecordBody> bodies) throws IOException {
        if (!syncsEachGroup) {
            return writeForLater(bodies);
        }
        var durable = trail.durable();
        var before = trail.head();
        var end = trail.size();
        var group = trail.write(bodies);
        try {
            trail.sync(before, end);
        } catch (IOException failed) {
            if (!durable.equals(before)) {
                // Groups before it were not synced either, and nobody knows whether they are on the device.
                untold.add(unsynced(durable, before, failed));
            }
            throw failed;
        }
        pace.need();
        return group;
    }

    /** Writes a group that nobody waits for; it is synced soon. */
    Trail.Group writeForLater(List<RecordBody> bodies) throws IOException {
        var group = trail.write(bodies);
        sync.need();
        pace.need();
        return group;
    }

    /** A group failed: what is missing shall be told soon, even if no other comes. */
    void tryAgain() {
        retry.need();
    }

    /** Does what has become due. */
    void after() {
        if (sync.isDue()) {
            sync();
        }
        if (trail.segment().first() - 1 > checkpoints.size()) {
            checkpoint(true);
        } else if (pace.isDue(trail.head().sequence() - checkpoints.size())) {
            checkpoint(pace.isLate());
        }
    }

    /** Removes the segments that are too old or too many; a record says so before they go. */
    void prune() {
        if (!retention.isWanted()) {
            return;
        }
        try {
            var outlived =
                    retention.outlived(trail.segment(), parts.timekeeper().now());
            if (!outlived.isEmpty()) {
                remove(outlived);
            }
            parts.troubles().end("removing old segments");
        } catch (IOException failed) {
            parts.troubles().begin("removing old segments", "the trail grows beyond 'keep'", failed);
        }
    }

    private void remove(List<Segment> outlived) throws IOException {
        var kept = Segment.in(settings.path()).stream()
                .map(Segment::first)
                .filter(first -> first > outlived.get(outlived.size() - 1).first())
                .findFirst()
                .orElse(trail.segment().first());
        var details = Map.of("through", Long.toString(kept - 1), "segments", Integer.toString(outlived.size()));
        write(List.of(parts.records()
                .note(new AuditNote("pruned", details), parts.timekeeper().now())));
        syncOrTell();
        writeCheckpoint(true);
        for (var each : outlived) {
            Files.deleteIfExists(each.file());
            open.forget(each);
        }
        TornRest.removeBefore(settings.path(), kept);
        checkpoints.removeBefore(kept - 1);
    }

    /** Only a segment with a checkpoint at its end is ended: one without would look as if that had been taken away. */
    private void rotate() {
        rotation.done();
        checkpoint(true);
        if (trail.size() < settings.segmentSize()) {
            return; // It was left, since its sync failed, and the next one begins with what may be missing.
        }
        if (checkpoints.size() < trail.head().sequence()) {
            rotation.need();
            return;
        }
        trail.endSegment();
        prune();
    }

    private void sync() {
        sync.done();
        try {
            syncOrTell();
        } catch (IOException told) {
            // The trail says so, or will before anything is vouched for.
        }
    }

    /** Puts the trail on the device; what that fails for stays in the memory of the system, and the trail says so. */
    private void syncOrTell() throws IOException {
        var before = trail.durable();
        var head = trail.head();
        try {
            trail.sync();
            parts.troubles().end(SYNCING);
        } catch (IOException failed) {
            parts.troubles().begin(SYNCING, "a loss of power may take records", failed);
            untold.add(unsynced(before, head, failed));
            tellUnsynced();
            throw failed;
        }
    }

    private static AuditNote unsynced(ChainHead before, ChainHead head, IOException why) {
        var details = Map.of(
                "from", Long.toString(before.sequence() + 1),
                "to", Long.toString(head.sequence()),
                "reason", String.valueOf(why.getMessage()));
        return new AuditNote("sync-failed", details);
    }

    private void tellUnsynced() {
        if (untold.isEmpty()) {
            return;
        }
        var now = parts.timekeeper().now();
        try {
            write(untold.stream().map(each -> parts.records().note(each, now)).toList());
            untold.clear();
        } catch (IOException failed) {
            parts.troubles().begin(Troubles.WRITING, "records are missing until it works again", failed);
        }
    }

    /** Vouches for what was written so far, once it is on the device. */
    void checkpoint(boolean onDevice) {
        tellUnsynced();
        sync();
        pace.done();
        try {
            writeCheckpoint(onDevice);
            parts.troubles().end("writing a checkpoint");
        } catch (IOException failed) {
            pace.need();
            parts.troubles().begin("writing a checkpoint", "records are not vouched for", failed);
        }
    }

    private void writeCheckpoint(boolean onDevice) throws IOException {
        var head = trail.head();
        if (trail.isDurable() && untold.isEmpty() && head.sequence() > checkpoints.size()) {
            checkpoints.write(head);
        }
        if (onDevice) {
            checkpoints.force();
        }
        if (checkpoints.size() == head.sequence() && (onDevice || isResumeOld())) {
            var next = trail.segment();
            var places = new ArrayList<>(open.places());
            var point = new ResumeFile.Point(head, next.first(), trail.size(), places);
            ResumeFile.write(settings.path(), parts.disk(), point);
            resumeSince = parts.timekeeper().nanoTime();
        }
    }

    /** Under load checkpoints come faster than starts get slower. */
    private boolean isResumeOld() {
        return parts.timekeeper().nanoTime() - resumeSince >= RESUME_EVERY.toNanos();
    }

    @Override
    public void close() {
        checkpoint(true);
        closeFiles();
    }

    /** Ends and leaves everything as it is, without a checkpoint. */
    void closeFiles() {
        List.of(sync, retry, rotation).forEach(Due::done);
        pace.end();
        trail.close();
        try {
            checkpoints.close();
        } catch (IOException nothingMoreToDo) {
            parts.troubles().begin("closing", "everything was written before", nothingMoreToDo);
        }
    }
}
