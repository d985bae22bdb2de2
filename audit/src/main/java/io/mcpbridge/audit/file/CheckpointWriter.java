package io.mcpbridge.audit.file;

import io.mcpbridge.audit.file.TrailFileSystem.AppendedFile;
import io.mcpbridge.audit.internal.FileIdentity;
import io.mcpbridge.audit.internal.UncoveredRecords;
import io.mcpbridge.audit.internal.WakeupTimer;
import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.verify.CheckpointReader;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Signs the checkpoints of a trail, appends them to the file {@code checkpoints} and updates the resume file. For one
 * thread.
 *
 * <p>A checkpoint is due after {@link #RECORDS} records, usually one each {@link #MIN_INTERVAL} at most because a
 * signature costs as much as hundreds of records, or when the oldest uncovered record has its maximum age.
 */
final class CheckpointWriter implements AutoCloseable {
    private static final String FAULT = "writing a checkpoint";
    private static final int RECORDS = 1_000;
    private static final Duration MIN_INTERVAL = Duration.ofMillis(50);

    /** The shortest time between two writes of the resume file; under load checkpoints are more frequent. */
    private static final Duration RESUME_INTERVAL = Duration.ofMillis(200);

    private final FileTrailStore.Context context;
    private final SegmentWriter segments;
    private final OpenCallIndex open;
    private final Path path;
    private final WakeupTimer maxAge;
    /** Wakes the writer {@link #MIN_INTERVAL} after a checkpoint came due too early; a group may write it before. */
    private final WakeupTimer minInterval;

    private AppendedFile file;
    private FileIdentity identity;
    private long covered;
    private long latest;
    private long resumeNoted;

    /**
     * Opens the file and cuts all bytes after the last checkpoint.
     *
     * @param wake runs from another thread when a checkpoint may be due
     */
    CheckpointWriter(
            FileTrailStore.Context context,
            SegmentWriter segments,
            TrustedCheckpoints known,
            OpenCallIndex open,
            Runnable wake)
            throws IOException {
        this.context = context;
        this.segments = segments;
        this.open = open;
        this.path = context.settings().path().resolve(CheckpointReader.FILE);
        this.maxAge = new WakeupTimer(context.timekeeper(), UncoveredRecords.MAX_AGE, wake);
        this.minInterval = new WakeupTimer(context.timekeeper(), MIN_INTERVAL, wake);
        this.latest = now() - MIN_INTERVAL.toNanos();
        this.file = new AppendedFile(context.disk().open(path), known.end());
        this.file.cut(known.end());
        this.identity = FileIdentity.of(path);
        this.covered = known.head().sequence();
        this.resumeNoted = now() - RESUME_INTERVAL.toNanos();
    }

    /** Writes the checkpoint of an empty trail, so that a trail without checkpoints has lost them. */
    void writeFirst() throws IOException {
        append(ChainHead.START);
        file.force();
    }

    /** Starts the timer for the maximum age of uncovered records, unless it runs; called after each group. */
    void onWrite() {
        maxAge.start();
    }

    /** Whether there are records that no checkpoint covers. */
    boolean isNeeded() {
        return uncovered() > 0;
    }

    /**
     * Whether a checkpoint has to be on the device before the trail continues: the segment before the current one ended
     * without one, no checkpoint covers any record yet, or the oldest uncovered record has its maximum age.
     */
    boolean isOwed() {
        return segments.segment().first() - 1 > covered
                || (covered == 0 && isNeeded())
                || (maxAge.isDue() && isNeeded());
    }

    /**
     * Whether there are enough uncovered records for a checkpoint; if it is too early, starts a timer that wakes the
     * writer.
     */
    boolean isDue() {
        if (uncovered() < RECORDS) {
            return false;
        }
        if (now() - latest >= MIN_INTERVAL.toNanos() || uncovered() >= UncoveredRecords.MAX_RECORDS) {
            return true;
        }
        minInterval.start();
        return false;
    }

    private long uncovered() {
        return segments.head().sequence() - covered;
    }

    private long now() {
        return context.timekeeper().nanoTime();
    }

    /** The fault of the file at its path; empty if it is the open file. */
    Optional<String> fault() {
        return identity.fault();
    }

    /** Writes and syncs a checkpoint, if the whole trail is on the device; a failure is reported, and retried later. */
    void write() {
        report(this::writeOrFail);
    }

    /** Like {@link #write}, but throws on failure. */
    void writeOrFail() throws IOException {
        if (segments.isDurable() && isNeeded()) {
            append(segments.head());
        }
        file.force();
        if (!isNeeded()) {
            writeResume();
        }
    }

    /** Delays the checkpoint by its usual interval, since nothing may be signed now. */
    void postpone() {
        stop();
        latest = now();
    }

    /** Writes a checkpoint without a sync, if the whole trail is on the device. */
    void writeUnsynced() {
        report(() -> {
            if (segments.isDurable() && isNeeded()) {
                append(segments.head());
                if (now() - resumeNoted >= RESUME_INTERVAL.toNanos()) {
                    writeResume();
                }
            }
        });
    }

    /** Signs and writes a checkpoint of the records up to {@code head}, which must be on the device. */
    private void append(ChainHead head) throws IOException {
        var start = file.end();
        try {
            file.append(ByteBuffer.wrap(context.key().sign(head).bytes()));
            covered = head.sequence();
        } catch (IOException failed) {
            file.cut(start);
            throw failed;
        }
    }

    /** A resume point only saves time, so a failure to write it is ignored. */
    private void writeResume() {
        var point = new ResumePointFile.Point(
                segments.head(),
                segments.segment().first(),
                segments.size(),
                List.copyOf(open.calls().values()));
        try {
            ResumePointFile.write(context.settings().path(), context.disk(), point);
            resumeNoted = now();
        } catch (IOException e) {
            context.logger().log(Level.DEBUG, "[mcp-bridge] the next start will read more of the trail than needed", e);
        }
    }

    private void report(Action action) {
        postpone();
        try {
            action.run();
            context.health().end(FAULT);
        } catch (IOException e) {
            maxAge.start();
            context.health().begin(FAULT, "no checkpoint covers the latest records", e);
        }
    }

    private interface Action {
        void run() throws IOException;
    }

    /** Removes the checkpoints that cover less than {@code sequence} records; those records are already removed. */
    void removeBefore(long sequence) throws IOException {
        var begin = beginOf(sequence);
        if (begin == 0) {
            return;
        }
        var all = Files.readAllBytes(path);
        var beside = path.resolveSibling(CheckpointReader.FILE + ".new");
        var shorter = new AppendedFile(context.disk().open(beside), 0);
        try {
            shorter.cut(0);
            shorter.append(ByteBuffer.wrap(all, (int) begin, all.length - (int) begin));
            shorter.force();
            Files.move(beside, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            shorter.close();
            throw failed;
        }
        var longer = file;
        file = shorter;
        identity = FileIdentity.of(path);
        longer.close();
        context.disk().force(context.settings().path());
    }

    /** The position of the first checkpoint that is kept; everything after it stays, even if it is damaged. */
    private long beginOf(long sequence) throws IOException {
        try (var reader = CheckpointReader.open(context.settings().path())) {
            var begin = reader.end();
            for (var next = reader.nextReadable(); next.isPresent(); next = reader.nextReadable()) {
                if (next.get().size() >= sequence) {
                    return begin;
                }
                begin = reader.end();
            }
            return 0;
        }
    }

    private void stop() {
        maxAge.stop();
        minInterval.stop();
    }

    @Override
    public void close() throws IOException {
        stop();
        file.close();
    }
}
