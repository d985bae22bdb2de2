package io.mcpbridge.transport.stdio;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What the system says of a file that changes when its bytes do, or when another takes its place.
 *
 * @param changedAt when the system noted the last change, which only it sets
 * @param others device and number, size and the moment that programs may set
 */
record FileStamp(Instant changedAt, Map<String, Object> others) {
    private static final String CHANGED = "ctime";
    private static final String KEY = "fileKey";
    private static final String ATTRIBUTES = "unix:size,lastModifiedTime," + KEY + "," + CHANGED;

    /** Two changes that are closer than this may have one moment. */
    private static final Duration GRAIN = Duration.ofSeconds(2);

    FileStamp {
        others = Map.copyOf(others);
    }

    /** Of the file that a path leads to; empty where the system does not tell. */
    static Optional<FileStamp> of(Path file) throws IOException {
        try {
            var attributes = Files.readAttributes(file, ATTRIBUTES);
            return attributes.get(CHANGED) instanceof FileTime changed
                    ? Optional.of(new FileStamp(changed.toInstant(), attributes))
                    : Optional.empty();
        } catch (UnsupportedOperationException | IllegalArgumentException otherSystem) {
            return Optional.empty();
        }
    }

    /** Device and number of the file. */
    Object key() {
        return Objects.requireNonNull(others.get(KEY));
    }

    /** Whether a change after that moment would show. */
    boolean isOldAt(Instant moment) {
        return changedAt.plus(GRAIN).isBefore(moment);
    }
}
