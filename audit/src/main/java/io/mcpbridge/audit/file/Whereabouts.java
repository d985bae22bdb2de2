package io.mcpbridge.audit.file;

import java.time.Duration;
import java.util.Optional;

/**
 * Looks, each second in which records are written, whether the files of the trail are still those that are open: records
 * in a file that was removed or moved away are kept nowhere, and no write fails for that. For one thread at a time.
 */
final class Whereabouts {
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final WriterParts parts;
    private final Trail trail;
    private final Checkpointing checkpoints;
    private final Due due;
    private long latest;
    private Optional<String> lost = Optional.empty();

    /** @param wake runs from another thread when it is time to look */
    Whereabouts(WriterParts parts, Trail trail, Checkpointing checkpoints, Runnable wake) {
        this.parts = parts;
        this.trail = trail;
        this.checkpoints = checkpoints;
        this.due = new Due(parts.timekeeper(), EVERY, wake);
        this.latest = parts.timekeeper().nanoTime();
    }

    /** Something was written. */
    void need() {
        due.need();
    }

    /** Whether it is time to look; while the files are lost it always is. */
    boolean isDue() {
        return areLost() || parts.timekeeper().nanoTime() - latest >= EVERY.toNanos();
    }

    /** Looks for the files without which the trail cannot go on. */
    void look() {
        due.done();
        latest = parts.timekeeper().nanoTime();
        lost = parts.lock().isIntact() ? checkpoints.fault() : Optional.of("'lock' is gone, or another file");
    }

    /** Whether they were not there. */
    boolean areLost() {
        return lost.isPresent();
    }

    /** Refuses to write to files that nobody finds. */
    void require() throws LostFilesException {
        if (lost.isPresent()) {
            throw new LostFilesException(
                    lost.get() + ": bring the folder of the trail back as it was, or start the daemon again");
        }
    }

    /** What is wrong with the segment, if it alone is: the trail can go on in another one. */
    Optional<String> segmentFault() {
        return areLost() ? Optional.empty() : trail.fault();
    }

    /** Looks no more. */
    void end() {
        due.done();
    }
}
