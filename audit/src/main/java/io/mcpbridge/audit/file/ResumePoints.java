package io.mcpbridge.audit.file;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;

/** When the place at which the next start begins to read is noted anew, and what it is. For one thread at a time. */
final class ResumePoints {
    private static final Duration EVERY = Duration.ofMillis(200);

    private final WriterParts parts;
    private final OpenCalls open;
    private long since;

    ResumePoints(WriterParts parts, OpenCalls open) {
        this.parts = parts;
        this.open = open;
        this.since = parts.timekeeper().nanoTime() - EVERY.toNanos();
    }

    /** The place behind all that the trail holds. */
    ResumeFile.Point at(Trail trail) {
        return new ResumeFile.Point(
                trail.head(), trail.segment().first(), trail.size(), new ArrayList<>(open.places()));
    }

    /** The same if the one that was noted is old: under load checkpoints come faster than starts get slower. */
    Optional<ResumeFile.Point> ifDue(Trail trail) {
        var isOld = parts.timekeeper().nanoTime() - since >= EVERY.toNanos();
        return isOld ? Optional.of(at(trail)) : Optional.empty();
    }

    /** Notes a place for which a checkpoint vouches. */
    void note(ResumeFile.Point point) throws IOException {
        ResumeFile.write(parts.settings().path(), parts.disk(), point);
        since = parts.timekeeper().nanoTime();
    }
}
