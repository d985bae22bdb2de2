package io.mcpbridge.audit.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a trail ended before its checkpoints were read: records that a writer adds meanwhile may have theirs already, unseen.
 */
record KnownEnd(Segment last, long size) {

    /** The end of the trail in a folder as it is now; empty where it holds no segment. */
    static Optional<KnownEnd> of(Path folder) throws IOException {
        var all = Segment.in(folder);
        if (all.isEmpty()) {
            return Optional.empty();
        }
        var last = all.get(all.size() - 1);
        try {
            return Optional.of(new KnownEnd(last, Files.size(last.file())));
        } catch (NoSuchFileException setAside) {
            return Optional.empty();
        }
    }

    /** Whether a line stood there already. */
    boolean isBehind(Segment segment, SegmentReader.Line line) {
        return segment.first() < last.first() || (segment.first() == last.first() && line.offset() < size);
    }
}
