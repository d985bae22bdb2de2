package io.mcpbridge.audit.file;

import io.mcpbridge.audit.internal.UsedKey;
import io.mcpbridge.audit.verify.Segment;
import io.mcpbridge.audit.verify.SegmentReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Looks at the end of the last segments for the key with which they hash what they do not show. */
final class LastKey {
    /** How much of the end of a segment is read. */
    private static final int TAIL = 256 << 10;

    private static final int SEGMENTS = 2;

    private LastKey() {}

    static UsedKey in(Path folder) throws IOException {
        var segments = Segment.in(folder);
        for (int i = segments.size() - 1; i >= Math.max(0, segments.size() - SEGMENTS); i--) {
            var found = latestIn(segments.get(i).file());
            if (found.isPresent()) {
                return found.get();
            }
        }
        return UsedKey.NONE;
    }

    private static Optional<UsedKey> latestIn(Path file) throws IOException {
        var size = Files.size(file);
        var latest = Optional.<UsedKey>empty();
        try (var reader = SegmentReader.open(file, Math.max(0, size - TAIL), size)) {
            for (var line = reader.next(); line.isPresent(); line = reader.next()) {
                var shown = UsedKey.shownBy(line.get().bytes());
                latest = shown.isPresent() ? shown : latest;
            }
        }
        return latest;
    }
}
