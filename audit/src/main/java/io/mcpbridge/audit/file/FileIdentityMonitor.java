package io.mcpbridge.audit.file;

import io.mcpbridge.audit.internal.WakeupTimer;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Checks once a second, while records are written, whether the open files are still at their paths. A write to a file
 * that was removed or moved succeeds, but no reader finds the record. For one thread.
 */
final class FileIdentityMonitor {
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final FileTrailStore.Context context;
    private final SegmentWriter segments;
    private final CheckpointWriter checkpoints;
    private final WakeupTimer timer;
    private long checked;
    private Optional<String> fault = Optional.empty();

    /** @param wake runs from another thread when a check is due */
    FileIdentityMonitor(
            FileTrailStore.Context context, SegmentWriter segments, CheckpointWriter checkpoints, Runnable wake) {
        this.context = context;
        this.segments = segments;
        this.checkpoints = checkpoints;
        this.timer = new WakeupTimer(context.timekeeper(), INTERVAL, wake);
        this.checked = context.timekeeper().nanoTime();
    }

    /** Starts the timer of the next check, unless it runs; called after each group. */
    void onWrite() {
        timer.start();
    }

    /** Whether a check is due; always true while files are lost. */
    boolean isDue() {
        return isLost() || context.timekeeper().nanoTime() - checked >= INTERVAL.toNanos();
    }

    /** Checks the files without which the trail cannot continue. */
    void check() {
        timer.stop();
        checked = context.timekeeper().nanoTime();
        fault = context.lock().isIntact() ? checkpoints.fault() : Optional.of("'lock' is gone, or another file");
    }

    /** Whether the last check found a file that is not at its path. */
    boolean isLost() {
        return fault.isPresent();
    }

    void requireInPlace() throws IOException {
        if (fault.isPresent()) {
            throw new IOException(
                    fault.get() + ": bring the folder of the trail back as it was, or start the daemon again");
        }
    }

    /**
     * The fault of the current segment if all other files are in place, so that the trail can continue in a new
     * segment.
     */
    Optional<String> segmentFault() {
        return isLost() ? Optional.empty() : segments.fault();
    }

    void stop() {
        timer.stop();
    }
}
