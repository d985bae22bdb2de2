package io.mcpbridge.audit.file;

import io.mcpbridge.audit.internal.RecordGroup;
import io.mcpbridge.audit.internal.TrailStore;
import io.mcpbridge.audit.internal.WakeupTimer;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.audit.verify.Segment;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.files.ProcessLock;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Stores a trail in the segment files of a folder: writes and syncs groups, signs checkpoints, begins new segments and
 * removes old ones. Only a failure to write a group fails its records; other failures are reported and retried. For one
 * thread.
 */
final class FileTrailStore implements TrailStore {
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);
    private static final String SYNCING = "syncing";
    private static final Pattern TORN_TAIL = Pattern.compile("(\\d{20})\\.jsonl\\.torn(-\\d+)?");

    private final Context context;
    private final FileAuditSettings settings;
    private final SegmentWriter segments;
    private final CheckpointWriter checkpoints;
    private final RetentionRule retention;
    private final FileIdentityMonitor identity;
    private final OpenCallIndex open;
    private final boolean syncsEachGroup;
    private final WakeupTimer sync;
    private final WakeupTimer rotation;

    /** Notes about groups that may not be on the device; no checkpoint is signed before the trail contains them. */
    private final List<AuditNote> unsynced = new ArrayList<>();

    private Optional<AuditNote> lostSegment = Optional.empty();

    FileTrailStore(
            Context context, SegmentWriter segments, CheckpointWriter checkpoints, OpenCallIndex open, Runnable wake) {
        this.context = context;
        this.settings = context.settings();
        this.segments = segments;
        this.checkpoints = checkpoints;
        this.retention = new RetentionRule(settings);
        this.identity = new FileIdentityMonitor(context, segments, checkpoints, wake);
        this.open = open;
        this.syncsEachGroup = settings.durability() == FileAuditSettings.Durability.EACH_GROUP;
        this.sync = new WakeupTimer(context.timekeeper(), settings.syncEvery(), wake);
        this.rotation = new WakeupTimer(context.timekeeper(), RETRY_DELAY, wake);
    }

    @Override
    public Durability durability() {
        return syncsEachGroup ? Durability.DEVICE : Durability.PROCESS;
    }

    @Override
    public Optional<String> fault() {
        return context.health().worst();
    }

    @Override
    public boolean isStopped() {
        return context.health().isWritingFailing();
    }

    @Override
    public Duration closeTimeout() {
        return CLOSE_TIMEOUT;
    }

    /** Begins a new segment if the current one is full. */
    @Override
    public void beforeGroup() {
        if (identity.isDue()) {
            checkFiles();
        }
        if (identity.isLost()) {
            return;
        }
        if (segments.size() >= settings.segmentSize() && !rotation.isPending()) {
            rotate();
        } else if (segments.isBetweenSegments() && checkpoints.isNeeded()) {
            // The last segment was abandoned after a failure; try to sign it before the next one begins.
            checkpoint();
        }
    }

    /** Fails if a file is not at its path; writes the note of a lost segment first. */
    @Override
    public void append(RecordGroup group) throws IOException {
        identity.requireInPlace();
        if (lostSegment.isPresent()) {
            write(List.of(record(lostSegment.get())));
            lostSegment = Optional.empty();
        }
        if (!group.isEmpty()) {
            trackCalls(group, group.isAwaited() ? write(group.bodies()) : writeUnsynced(group.bodies()));
        }
        context.health().end(StoreHealth.WRITING);
    }

    @Override
    public FailureAction onFailure(Throwable failure, RecordGroup group) {
        context.health().begin(StoreHealth.WRITING, "records are missing until it works again", failure);
        return new FailureAction.Drop("the audit record cannot be written: " + StoreHealth.words(failure));
    }

    @Override
    public void onLostExit(String correlationId) {
        open.exitLost(correlationId);
    }

    @Override
    public void afterGroup() {
        if (identity.isLost()) {
            return;
        }
        if (sync.isDue()) {
            syncOrReport();
        }
        if (checkpoints.isOwed()) {
            checkpoint();
        } else if (checkpoints.isDue()) {
            checkpoint(checkpoints::writeUnsynced);
        }
    }

    /** Writes records with the durability of the settings; after a failure none of them is in the trail. */
    SegmentWriter.Group write(List<RecordBody> bodies) throws IOException {
        if (!syncsEachGroup) {
            return writeUnsynced(bodies);
        }
        var durable = segments.durable();
        var before = segments.head();
        long end = segments.size();
        var group = segments.write(bodies);
        identity.onWrite();
        try {
            segments.sync(before, end);
        } catch (IOException e) {
            if (!durable.equals(before)) {
                // Earlier groups were not synced either, and may not be on the device.
                addUnsynced(durable, before, e);
            }
            throw e;
        }
        checkpoints.onWrite();
        return group;
    }

    /** Writes records and starts the timer of their sync, unless it runs. */
    private SegmentWriter.Group writeUnsynced(List<RecordBody> bodies) throws IOException {
        var group = segments.write(bodies);
        identity.onWrite();
        sync.start();
        checkpoints.onWrite();
        return group;
    }

    private RecordBody record(AuditNote note) {
        return context.records().note(note, context.timekeeper().now());
    }

    private void trackCalls(RecordGroup group, SegmentWriter.Group written) {
        for (int i = 0; i < group.events().size(); i++) {
            var event = group.events().get(i);
            if (event.kind() == RecordType.ENTER) {
                long offset = written.offsets().get(group.firstEvent() + i);
                open.entered(
                        event.correlationId(),
                        new OpenCallIndex.Place(written.segment().first(), offset));
            } else if (event.kind() == RecordType.EXIT) {
                open.left(event.correlationId());
            }
        }
    }

    /** Checks the files. If only the current segment is lost, signs its last head and begins a new segment. */
    private void checkFiles() {
        identity.check();
        identity.segmentFault().ifPresent(fault -> {
            context.health()
                    .begin(
                            "keeping a segment",
                            "its records are missing, and another one begins",
                            new IOException(fault));
            var through = Long.toString(segments.head().sequence());
            var details = Map.of("segment", segments.segment().name(), "through", through, "reason", fault);
            lostSegment = Optional.of(new AuditNote("segment-lost", details));
            checkpoint();
            segments.endSegment();
        });
    }

    /** Syncs the trail and signs a checkpoint of it. */
    void checkpoint() {
        checkpoint(checkpoints::write);
    }

    /**
     * Writes pending notes about groups that may be missing, syncs the trail and signs it; each step that fails is
     * retried later.
     */
    private void checkpoint(Runnable write) {
        noteUnsynced();
        syncOrReport();
        if (unsynced.isEmpty()) {
            write.run();
        } else {
            checkpoints.postpone();
        }
    }

    /**
     * Ends the current segment, but only with a checkpoint at its end: without one, the verifier reports it as removed.
     */
    private void rotate() {
        rotation.stop();
        checkpoint();
        if (segments.size() < settings.segmentSize()) {
            return; // Its sync failed, so the segment was abandoned; the next one begins with a note about it.
        }
        if (checkpoints.isNeeded()) {
            rotation.start();
            return;
        }
        segments.endSegment();
        prune();
    }

    /** Removes the segments beyond {@code keep}, after a note in the trail. */
    void prune() {
        if (!retention.isLimited()) {
            return;
        }
        try {
            var expired =
                    retention.expired(segments.segment(), context.timekeeper().now());
            if (!expired.isEmpty()) {
                remove(expired);
            }
            context.health().end("removing old segments");
        } catch (IOException e) {
            context.health().begin("removing old segments", "the trail grows beyond 'keep'", e);
        }
    }

    private void remove(List<Segment> expired) throws IOException {
        long firstKept = Segment.in(settings.path()).stream()
                .map(Segment::first)
                .filter(first -> first > expired.get(expired.size() - 1).first())
                .findFirst()
                .orElse(segments.segment().first());
        var details = Map.of("through", Long.toString(firstKept - 1), "segments", Integer.toString(expired.size()));
        noteUnsynced();
        write(List.of(record(new AuditNote("pruned", details))));
        sync();
        if (!unsynced.isEmpty()) {
            throw new IOException("records may be missing on the device, and the trail does not mention them yet");
        }
        checkpoints.writeOrFail();
        for (var each : expired) {
            Files.deleteIfExists(each.file());
            open.forget(each);
        }
        removeTornTails(firstKept);
        checkpoints.removeBefore(firstKept - 1);
    }

    /** Removes the {@code .torn} copies of segments before the record {@code first}; those segments are removed too. */
    private void removeTornTails(long first) throws IOException {
        try (var files = Files.list(settings.path())) {
            for (var file : files.toList()) {
                var name = TORN_TAIL.matcher(String.valueOf(file.getFileName()));
                if (name.matches() && name.group(1).compareTo("%020d".formatted(first)) < 0) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private void syncOrReport() {
        sync.stop();
        try {
            sync();
        } catch (IOException e) {
            // The failure is reported, and the trail gets a note before the next checkpoint.
        }
    }

    /** Syncs the trail. After a failure, records may be in memory of the operating system only, and a note says so. */
    private void sync() throws IOException {
        var before = segments.durable();
        var head = segments.head();
        try {
            segments.sync();
            context.health().end(SYNCING);
        } catch (IOException e) {
            context.health().begin(SYNCING, "a loss of power may take records", e);
            addUnsynced(before, head, e);
            noteUnsynced();
            throw e;
        }
    }

    private void addUnsynced(ChainHead before, ChainHead head, IOException why) {
        var details = Map.of(
                "from", Long.toString(before.sequence() + 1),
                "to", Long.toString(head.sequence()),
                "reason", String.valueOf(why.getMessage()));
        unsynced.add(new AuditNote("sync-failed", details));
    }

    private void noteUnsynced() {
        if (unsynced.isEmpty()) {
            return;
        }
        try {
            write(unsynced.stream().map(this::record).toList());
            unsynced.clear();
        } catch (IOException e) {
            context.health().begin(StoreHealth.WRITING, "records are missing until it works again", e);
        }
    }

    @Override
    public void close() {
        try {
            checkFiles();
            append(RecordGroup.EMPTY);
            checkpoint();
        } catch (IOException e) {
            context.health().begin(StoreHealth.WRITING, "the end of the trail is missing", e);
        } finally {
            closeFiles();
            context.lock().close();
        }
    }

    /** Closes all files as they are, without a checkpoint. */
    void closeFiles() {
        sync.stop();
        rotation.stop();
        identity.stop();
        segments.close();
        try {
            checkpoints.close();
        } catch (IOException e) {
            context.health().begin("closing", "everything was written before", e);
        }
    }

    /** The settings and collaborators that the classes of the sink {@code file} share. */
    record Context(
            FileAuditSettings settings,
            TrailFileSystem disk,
            ProcessLock lock,
            AuditRecords records,
            SigningKey key,
            Timekeeper timekeeper,
            System.Logger logger,
            StoreHealth health) {}
}
