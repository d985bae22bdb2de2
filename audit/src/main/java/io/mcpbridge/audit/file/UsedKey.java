package io.mcpbridge.audit.file;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.verify.Segment;
import io.mcpbridge.audit.verify.SegmentReader;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.spi.AuditNote;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The key with which the latest records of a trail hash what they do not show. Where another one is used from now on,
 * hashes before and after cannot be compared, and the trail says so.
 */
final class UsedKey {
    /** What a trail says of itself when values are hashed with another key than before. */
    static final String CHANGED = "redaction-key-changed";

    /** How much of the end of a segment is read. */
    private static final int TAIL = 256 << 10;

    private static final int SEGMENTS = 2;
    private static final Pattern HASH = Pattern.compile("hmac-sha256:([0-9a-f]{8}):[0-9a-f]{64}");
    private static final String TO = "to";

    private final String id;

    private UsedKey(String id) {
        this.id = id;
    }

    /** Looks at the end of the last segments. */
    static UsedKey last(Path folder) throws IOException {
        var segments = Segment.in(folder);
        for (int i = segments.size() - 1; i >= Math.max(0, segments.size() - SEGMENTS); i--) {
            var found = latestIn(segments.get(i).file());
            if (!found.isEmpty()) {
                return new UsedKey(found);
            }
        }
        return new UsedKey("");
    }

    /** Says that another key is used from now on. */
    Optional<AuditNote> otherThan(AuditRecords records) {
        var now = records.lastingKey();
        return id.isEmpty() || now.isEmpty() || id.equals(now)
                ? Optional.empty()
                : Optional.of(new AuditNote(CHANGED, Map.of("from", id, TO, now)));
    }

    private static String latestIn(Path file) throws IOException {
        var size = Files.size(file);
        var latest = "";
        try (var reader = SegmentReader.open(file, Math.max(0, size - TAIL), size)) {
            for (var line = reader.next(); line.isPresent(); line = reader.next()) {
                var shown = shownBy(line.get());
                latest = shown.isEmpty() ? latest : shown;
            }
        }
        return latest;
    }

    /** The key that a record shows; what is no record, such as the rest of one, shows none. */
    private static String shownBy(SegmentReader.Line line) {
        try {
            var record = AuditLine.parse(line.bytes());
            return switch (record.type()) {
                case ENTER -> ofHash(record.text("argumentsHash"));
                case EXIT -> ofHash(record.text("resultHash"));
                case DENIED -> "";
                case NOTE -> ofNote(record);
            };
        } catch (ProtocolException noRecord) {
            return "";
        }
    }

    private static String ofHash(Optional<String> hash) {
        return hash.map(HASH::matcher)
                .filter(matcher -> matcher.matches())
                .map(matcher -> matcher.group(1))
                .orElse("");
    }

    private static String ofNote(AuditLine note) {
        return note.text("kind").filter(CHANGED::equals).isPresent()
                        && note.data().get("details") instanceof Map<?, ?> details
                        && details.get(TO) instanceof String id
                ? id
                : "";
    }
}
