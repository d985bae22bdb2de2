package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.verify.AuditReader;
import io.mcpbridge.audit.verify.AuditReader.Position;
import io.mcpbridge.audit.verify.CheckpointReader;
import io.mcpbridge.audit.verify.Segment;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorText;
import io.mcpbridge.failure.ProtocolException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The folder of a trail with its segments, each named after its first record. */
final class TrailFolder {
    private final Path path;

    private TrailFolder(Path path) {
        this.path = path;
    }

    /**
     * The folder at {@code path}.
     *
     * @throws ConfigurationException if it cannot be read
     */
    static TrailFolder at(Path path) {
        var folder = new TrailFolder(path);
        var unusedFirstLook = folder.isEmpty();
        return folder;
    }

    /**
     * The folder at {@code path}, which must contain a trail.
     *
     * @throws ConfigurationException if nothing was recorded there, or it cannot be read
     */
    static TrailFolder withRecords(Path path) {
        var folder = at(path);
        folder.requireRecords();
        return folder;
    }

    /**
     * The folder at {@code path}, which must contain a trail, maybe without records, or the checkpoints of one.
     *
     * @throws ConfigurationException if no trail was begun there, or it cannot be read
     */
    static TrailFolder withTrail(Path path) {
        var folder = at(path);
        if (!Files.exists(path.resolve(CheckpointReader.FILE))) {
            folder.requireRecords();
        }
        return folder;
    }

    void requireRecords() {
        if (isEmpty()) {
            throw ConfigurationException.of(emptyMessage().formatted(path));
        }
    }

    private String emptyMessage() {
        if (hadRecords()) {
            return "the segments of the audit trail in '%s' are missing, its checkpoints are there: see 'mcp-bridge"
                    + " audit verify'";
        }
        return Files.exists(path.resolve(CheckpointReader.FILE))
                ? "the audit trail in '%s' holds no record yet"
                : "there is no audit trail in '%s': it holds no segment, and no checkpoint of any record";
    }

    private boolean hadRecords() {
        return read(() -> CheckpointReader.coverRecords(path));
    }

    /** Whether nothing was recorded yet. */
    boolean isEmpty() {
        return read(() -> segments().isEmpty());
    }

    private List<Segment> segments() throws IOException {
        return Segment.in(path);
    }

    /**
     * Reads the trail.
     *
     * @throws ConfigurationException if it cannot be read
     */
    <T> T read(Reading<T> reading) {
        try {
            return reading.read();
        } catch (IOException unreadable) {
            throw unreadable(unreadable);
        }
    }

    /** An action that reads files of the trail. */
    interface Reading<T> {
        T read() throws IOException;
    }

    /** Reads the lines from a position on. */
    AuditReader linesFrom(Position position) throws IOException {
        return AuditReader.from(path, position);
    }

    /**
     * The beginning of the last segment whose first record is older than {@code moment}; if there is none, the
     * beginning of the trail.
     */
    Position placeBefore(Instant moment) throws IOException {
        var segments = segments();
        for (int i = segments.size() - 1; i > 0; i--) {
            var place = new Position(segments.get(i), 0);
            if (firstMoment(place).filter(moment::isAfter).isPresent()) {
                return place;
            }
        }
        return beginning();
    }

    /**
     * The position with {@code bytes} bytes after it, which may be within a line, or the beginning of a shorter trail.
     */
    Position placeFromEnd(long bytes) throws IOException {
        var segments = segments();
        var left = bytes;
        for (int i = segments.size() - 1; i >= 0; i--) {
            var size = Files.size(segments.get(i).file());
            if (size >= left) {
                return new Position(segments.get(i), size - left);
            }
            left -= size;
        }
        return beginning();
    }

    Position beginning() throws IOException {
        return new Position(segments().get(0), 0);
    }

    private Optional<Instant> firstMoment(Position place) throws IOException {
        try (var lines = linesFrom(place)) {
            var line = lines.nextLine();
            return line.isPresent() ? Optional.of(ParsedRecord.parse(line.get()).time()) : Optional.empty();
        } catch (ProtocolException noRecord) {
            return Optional.empty();
        }
    }

    /** The exception for an unreadable trail, with the cause and the next step. */
    ConfigurationException unreadable(IOException why) {
        if (why instanceof NoSuchFileException) {
            return ConfigurationException.of(
                    "there is no audit trail at '%s'; name the folder of the trail, or keep one with 'bridge.audit'"
                            .formatted(path));
        }
        if (why instanceof NotDirectoryException) {
            return ConfigurationException.of("'%s' is no folder, as an audit trail is".formatted(path));
        }
        if (why instanceof AccessDeniedException) {
            return ConfigurationException.of(
                    "the audit trail at '%s' belongs to %s, and you may not read it; run this as that user or as root"
                            .formatted(path, owner(path)));
        }
        return ConfigurationException.of(
                "the audit trail at '%s' cannot be read: %s".formatted(path, ErrorText.of(why)));
    }

    private static String owner(Path path) {
        try {
            return "user '%s'".formatted(Files.getOwner(path).getName());
        } catch (IOException | UnsupportedOperationException unknown) {
            return "another user";
        }
    }
}
