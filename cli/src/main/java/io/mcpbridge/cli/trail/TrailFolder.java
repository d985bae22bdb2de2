package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.verify.CheckpointReader;
import io.mcpbridge.audit.verify.Segment;
import io.mcpbridge.failure.ConfigurationException;
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

/** The folder of a trail with its segments, each named for the first record in it. */
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
        try {
            var unusedFirstLook = folder.segments();
            return folder;
        } catch (IOException unreadable) {
            throw folder.unreadable(unreadable);
        }
    }

    /**
     * The folder at {@code path}, which has to hold a trail.
     *
     * @throws ConfigurationException if nothing was recorded there, or it cannot be read
     */
    static TrailFolder withRecords(Path path) {
        var folder = at(path);
        folder.requireRecords();
        return folder;
    }

    /**
     * The folder at {@code path}, which has to hold a trail or what is left of one.
     *
     * @throws ConfigurationException if nothing was recorded there, or it cannot be read
     */
    static TrailFolder withTrail(Path path) {
        var folder = at(path);
        if (folder.isEmpty() && !folder.hadRecords()) {
            folder.requireRecords();
        }
        return folder;
    }

    void requireRecords() {
        if (isEmpty()) {
            throw ConfigurationException.of(whyEmpty().formatted(path));
        }
    }

    private String whyEmpty() {
        if (hadRecords()) {
            return "the segments of the audit trail in '%s' are missing, its checkpoints are there: see 'mcp-bridge"
                    + " audit verify'";
        }
        return Files.exists(path.resolve(CheckpointReader.FILE))
                ? "the audit trail in '%s' holds no record yet"
                : "there is no audit trail in '%s': it holds no segment, and no checkpoint of any record";
    }

    private boolean hadRecords() {
        try {
            return CheckpointReader.tellOfRecords(path);
        } catch (IOException unreadable) {
            throw unreadable(unreadable);
        }
    }

    /** Whether nothing was recorded yet. */
    boolean isEmpty() {
        try {
            return segments().isEmpty();
        } catch (IOException unreadable) {
            throw unreadable(unreadable);
        }
    }

    private List<Segment> segments() throws IOException {
        return Segment.in(path);
    }

    /** The segment that goes on where this one ends, if it is there. */
    Optional<Segment> after(Segment segment) throws IOException {
        return segments().stream()
                .filter(other -> other.first() > segment.first())
                .findFirst();
    }

    /** Where the last segment begins whose first record is older than {@code moment}; else the beginning. */
    TrailPlace placeBefore(Instant moment) throws IOException {
        var segments = segments();
        for (int i = segments.size() - 1; i > 0; i--) {
            var place = new TrailPlace(segments.get(i), 0);
            if (firstMoment(place).filter(moment::isAfter).isPresent()) {
                return place;
            }
        }
        return beginning();
    }

    /** A place with so many bytes behind it, or the beginning of a trail that has less; it may be within a line. */
    TrailPlace placeFromEnd(long bytes) throws IOException {
        var segments = segments();
        var left = bytes;
        for (int i = segments.size() - 1; i >= 0; i--) {
            var size = Files.size(segments.get(i).file());
            if (size >= left) {
                return new TrailPlace(segments.get(i), size - left);
            }
            left -= size;
        }
        return beginning();
    }

    TrailPlace beginning() throws IOException {
        return new TrailPlace(segments().get(0), 0);
    }

    private Optional<Instant> firstMoment(TrailPlace place) throws IOException {
        try (var lines = new TrailLines(this, place)) {
            var line = lines.next();
            return line.isPresent() ? Optional.of(AuditLine.parse(line.get()).time()) : Optional.empty();
        } catch (ProtocolException noRecord) {
            return Optional.empty();
        }
    }

    /** Says why a trail cannot be read, and what would help. */
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
        return ConfigurationException.of("the audit trail at '%s' cannot be read: %s".formatted(path, why));
    }

    private static String owner(Path path) {
        try {
            return "user '%s'".formatted(Files.getOwner(path).getName());
        } catch (IOException | UnsupportedOperationException unknown) {
            return "another user";
        }
    }
}
