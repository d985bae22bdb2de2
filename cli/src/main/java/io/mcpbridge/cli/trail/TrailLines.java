package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.verify.Segment;
import io.mcpbridge.audit.verify.SegmentReader;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The whole lines of a trail from some place on, segment after segment.
 *
 * <p>A line that is not ended yet is left where it is, and read again the next time: it may be written to its end, or be
 * cut off by the daemon that starts after a crash.
 */
final class TrailLines implements AutoCloseable {
    private final TrailFolder folder;
    private Segment segment;
    private @Nullable SegmentReader reader;
    /** Where the line begins that comes next. */
    private long offset;
    /** The segment after this one, as far as it is known: it was there before this one was read to its end. */
    private Optional<Segment> follower;

    TrailLines(TrailFolder folder, TrailPlace from) throws IOException {
        this.folder = folder;
        this.segment = from.segment();
        this.offset = from.offset();
        this.follower = folder.after(segment);
    }

    /** Where the line begins that comes next. */
    TrailPlace place() {
        return new TrailPlace(segment, offset);
    }

    /** The sequence at which another segment goes on: what stands here from there on, it takes the place of. */
    long end() {
        return follower.map(Segment::first).orElse(Long.MAX_VALUE);
    }

    /** The next line without its end, or empty where there is none yet. */
    Optional<byte[]> next() throws IOException {
        while (true) {
            var line = nextHere();
            if (line.isPresent()) {
                return line;
            }
            close();
            if (follower.isPresent()) {
                segment = follower.get();
                offset = 0;
            }
            var wasOver = follower.isPresent();
            follower = folder.after(segment);
            if (!wasOver && follower.isEmpty()) {
                return Optional.empty();
            }
        }
    }

    private Optional<byte[]> nextHere() throws IOException {
        try {
            var open = reader == null ? SegmentReader.open(segment.file(), offset, Long.MAX_VALUE) : reader;
            reader = open;
            var line = open.next();
            offset = open.offset();
            return line.map(SegmentReader.Line::bytes);
        } catch (NoSuchFileException removed) {
            // Its time was over before it was opened; the next segment goes on.
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        var open = reader;
        reader = null;
        if (open != null) {
            open.close();
        }
    }
}
