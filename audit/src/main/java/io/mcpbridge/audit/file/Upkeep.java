package io.mcpbridge.audit.file;

import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.audit.verify.Segment;
import io.mcpbridge.spi.AuditNote;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes groups with what belongs to them: syncs, checkpoints, new segments, the removal of old ones. For one thread at a
 * time; none of its failures but that of a group itself keeps records from being written.
 */
final class Upkeep implements AutoCloseable {
    private static final Duration TRY_AGAIN = Duration.ofSeconds(1);

    private static final String SYNCING = "syncing";

    private final WriterParts parts;
    private final FileAuditSettings settings;
    private final Trail trail;
    private final Checkpointing checkpoints;
    private final Retention retention;
    private final OpenCalls open;
    private final UnsyncedGroups unsynced;
    private final Whereabouts whereabouts;
    private final boolean syncsEachGroup;
    private final Due sync;
    private final Due retry;
    private final Due rotation;
    private Optional<AuditNote> lostSegment = Optional.empty();

    Upkeep(WriterParts parts, Trail trail, Checkpoints checkpoints, Runnable wake, OpenCalls open) {
        this.parts = parts;
        this.settings = parts.settings();
        this.trail = trail;
        this.checkpoints = new Checkpointing(parts, trail, checkpoints, open, wake);
        this.open = open;
        this.retention = new Retention(settings);
        this.whereabouts = new Whereabouts(parts, trail, this.checkpoints, wake);
        this.unsynced = new UnsyncedGroups(parts.records());
        this.syncsEachGroup = settings.durability() == FileAuditSettings.Durability.EACH_GROUP;
        this.sync = new Due(parts.timekeeper(), settings.syncEvery(), wake);
        this.retry = new Due(parts.timekeeper(), TRY_AGAIN, wake);
        this.rotation = new Due(parts.timekeeper(), TRY_AGAIN, wake);
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
        if (whereabouts.isDue()) {
            look();
        }
        if (whereabouts.areLost()) {
            return;
        }
        if (trail.size() >= settings.segmentSize() && !rotation.isWaiting()) {
            rotate();
        } else if (trail.isBetweenSegments() && checkpoints.isNeeded()) {
            // The segment was left since it failed; no other one is begun before it has its checkpoint, if that can be.
            checkpoint();
        }
    }

    /** Refuses to write where nobody would find it, and tells first what was lost. */
    void requireInPlace() throws IOException {
        whereabouts.require();
        if (lostSegment.isPresent()) {
            write(List.of(
                    parts.records().note(lostSegment.get(), parts.timekeeper().now())));
            lostSegment = Optional.empty();
        }
    }

    /** A segment that alone was lost is left, once a checkpoint says what it held: whoever verifies finds that missing. */
    private void look() {
        whereabouts.look();
        whereabouts.segmentFault().ifPresent(fault -> {
            var lost = new LostFilesException(fault);
            parts.troubles().begin("keeping a segment", "its records are missing, and another one begins", lost);
            var through = Long.toString(trail.head().sequence());
            var details = Map.of("segment", trail.segment().name(), "through", through, "reason", fault);
            lostSegment = Optional.of(new AuditNote("segment-lost", details));
            checkpoint();
            trail.endSegment();
        });
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
        whereabouts.need();
        try {
            trail.sync(before, end);
        } catch (IOException failed) {
            if (!durable.equals(before)) {
                // Groups before it were not synced either, and nobody knows whether they are on the device.
                unsynced.add(durable, before, failed);
            }
            throw failed;
        }
        checkpoints.need();
        return group;
    }

    /** Writes a group that nobody waits for; it is synced soon. */
    Trail.Group writeForLater(List<RecordBody> bodies) throws IOException {
        var group = trail.write(bodies);
        whereabouts.need();
        sync.need();
        checkpoints.need();
        return group;
    }

    /** A group failed: what is missing shall be told soon, even if no other comes. */
    void tryAgain() {
        retry.need();
    }

    /** Does what has become due. */
    void after() {
        if (whereabouts.areLost()) {
            return;
        }
        if (sync.isDue()) {
            sync();
        }
        checkpoints.take();
        if (checkpoints.isOwed()) {
            checkpoint();
        } else if (checkpoints.isDue()) {
            vouchInTime();
        }
    }

    private void vouchInTime() {
        if (checkpoints.isLate()) {
            checkpoint();
            return;
        }
        tellUnsynced();
        sync();
        checkpoints.begin(unsynced.areTold());
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
        checkpoints.writeOrFail(unsynced.areTold());
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
        checkpoint();
        if (trail.size() < settings.segmentSize()) {
            return; // It was left, since its sync failed, and the next one begins with what may be missing.
        }
        if (checkpoints.isNeeded()) {
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
            unsynced.add(before, head, failed);
            tellUnsynced();
            throw failed;
        }
    }

    private void tellUnsynced() {
        if (unsynced.areTold()) {
            return;
        }
        try {
            write(unsynced.records(parts.timekeeper().now()));
            unsynced.told();
        } catch (IOException failed) {
            parts.troubles().begin(Troubles.WRITING, "records are missing until it works again", failed);
        }
    }

    /** Vouches for what was written so far, once it is on the device. */
    void checkpoint() {
        tellUnsynced();
        sync();
        checkpoints.write(unsynced.areTold());
    }

    @Override
    public void close() {
        look();
        try {
            requireInPlace();
            checkpoint();
        } catch (IOException failed) {
            parts.troubles().begin(Troubles.WRITING, "the end of the trail is missing", failed);
        }
        closeFiles();
    }

    /** Ends and leaves everything as it is, without a checkpoint. */
    void closeFiles() {
        List.of(sync, retry, rotation).forEach(Due::done);
        whereabouts.end();
        trail.close();
        try {
            checkpoints.close();
        } catch (IOException nothingMoreToDo) {
            parts.troubles().begin("closing", "everything was written before", nothingMoreToDo);
        }
    }
}
