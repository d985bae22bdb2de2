package io.mcpbridge.audit.file;

import io.mcpbridge.audit.file.Disk.AppendedFile;
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
 * Signs checkpoints of a trail when they are due, and appends them to their file; notes where the next start resumes
 * reading. For one thread.
 *
 * <p>A checkpoint is due after a number of records, but not too often, since a signature costs as much as hundreds of
 * records; and after a time, however few records there are.
 */
final class CheckpointWriter implements AutoCloseable {
    private static final String FAULT = "writing a checkpoint";
    private static final int RECORDS = 1_000;
    private static final Duration MIN_INTERVAL = Duration.ofMillis(50);

    /** Under load checkpoints come faster than it pays to note where a start resumes. */
    private static final Duration RESUME_INTERVAL = Duration.ofMillis(200);

    private final FileTrailStore.Context context;
    private final SegmentWriter segments;
    private final OpenCallPlaces open;
    private final Path path;
    private final WakeupTimer maxAge;
    /** Runs while it is too early for a checkpoint that is due. */
    private final WakeupTimer minInterval;

    private AppendedFile file;
    private FileIdentity identity;
    private long covered;
    private long latest;
    private long resumeNoted;

    /**
     * Opens the file and cuts what follows the last checkpoint.
     *
     * @param wake runs from another thread when a checkpoint may be due
     */
    CheckpointWriter(
            FileTrailStore.Context context,
            SegmentWriter segments,
            TrustedCheckpoints known,
            OpenCallPlaces open,
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

    /** Writes the checkpoint of an empty trail, so that a trail without any checkpoint is one that lost them. */
    void writeFirst() throws IOException {
        append(ChainHead.START);
        file.force();
    }

    /** Records were written that no checkpoint covers. */
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

    /** Whether there are enough uncovered records for a checkpoint; if it is too early for it, an alarm wakes the writer. */
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

    /** The fault of the file at its path; empty where it is the open one. */
    Optional<String> fault() {
        return identity.fault();
    }

    /** Writes a checkpoint of the trail, if all of it is on the device, and syncs it; a failure is reported, and tried again. */
    void write() {
        report(this::writeOrFail);
    }

    /** The same for a caller that needs to know of a failure. */
    void writeOrFail() throws IOException {
        if (segments.isDurable() && isNeeded()) {
            append(segments.head());
        }
        file.force();
        if (!isNeeded()) {
            writeResume();
        }
    }

    /** Nothing may be signed now; waits for the next time. */
    void postpone() {
        stop();
        latest = now();
    }

    /** Writes a checkpoint of the trail, if all of it is on the device, without a sync. */
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

    /** A resume point only saves time, so a failure to write it does not count. */
    private void writeResume() {
        var point = new ResumeFile.Point(
                segments.head(),
                segments.segment().first(),
                segments.size(),
                List.copyOf(open.calls().values()));
        try {
            ResumeFile.write(context.settings().path(), context.disk(), point);
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

    /** Removes the checkpoints that cover less than {@code sequence} records, all of which are removed. */
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
