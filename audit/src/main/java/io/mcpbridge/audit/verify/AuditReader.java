package io.mcpbridge.audit.verify;

import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.failure.ProtocolException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a trail in order, also while the trail is written. It needs bounded memory and does not verify
 * records, which {@link AuditVerifier} does. For one thread.
 *
 * <p>The next call reads an incomplete line again: its writer may complete it, or a start after a crash may cut it.
 */
public final class AuditReader implements AutoCloseable {
    private final Path folder;
    private @Nullable Segment segment;
    private @Nullable FileLineReader reader;

    /** The position of the next line. */
    private long offset;

    /** The segment after this one, if it existed before this one was read to its end. */
    private @Nullable Segment follower;

    private AuditReader(Path folder) {
        this.folder = folder;
    }

    /** The position of a line: its segment and its offset there. */
    public record Position(Segment segment, long offset) {}

    /** Opens a reader at the first record; the trail may still be empty. */
    public static AuditReader open(Path folder) {
        return new AuditReader(folder);
    }

    /** Opens a reader at the line at a position. */
    public static AuditReader from(Path folder, Position position) throws IOException {
        var lines = new AuditReader(folder);
        lines.segment = position.segment();
        lines.offset = position.offset();
        lines.follower = lines.next(position.segment());
        return lines;
    }

    /**
     * The position of the next line.
     *
     * @throws IllegalStateException if no line was read yet
     */
    public Position position() {
        if (segment == null) {
            throw new IllegalStateException("a reader that has read no line has no position");
        }
        return new Position(segment, offset);
    }

    /** The first sequence of the next segment, which replaces all records of this segment from that sequence on. */
    public long end() {
        return follower == null ? Long.MAX_VALUE : follower.first();
    }

    /** The next line without its line end; empty if there is none yet, and the next call tries again. */
    public Optional<byte[]> nextLine() throws IOException {
        while (true) {
            var line = nextHere();
            if (line.isPresent()) {
                return line;
            }
            close();
            // Lines that were written before the next segment began come first.
            boolean hadFollower = follower != null;
            if (hadFollower) {
                segment = follower;
                offset = 0;
            }
            follower = next(segment);
            if (!hadFollower && follower == null) {
                return Optional.empty();
            }
        }
    }

    /** The next record that no later segment replaces; skips lines that are not records. */
    public Optional<ParsedRecord> next() throws IOException {
        for (var line = nextLine(); line.isPresent(); line = nextLine()) {
            try {
                var record = ParsedRecord.parse(line.get());
                if (record.sequence() < end()) {
                    return Optional.of(record);
                }
            } catch (ProtocolException e) {
                // The verifier reports a line that is not a record.
            }
        }
        return Optional.empty();
    }

    private Optional<byte[]> nextHere() throws IOException {
        if (segment == null) {
            return Optional.empty();
        }
        try {
            var open = reader == null ? FileLineReader.open(segment.file(), offset, Long.MAX_VALUE) : reader;
            reader = open;
            var line = open.next();
            offset = open.offset();
            return line.map(FileLineReader.Line::bytes);
        } catch (NoSuchFileException e) {
            // Retention removed it before it was opened; the next segment follows.
            return Optional.empty();
        }
    }

    private @Nullable Segment next(@Nullable Segment before) throws IOException {
        long first = before == null ? 0 : before.first();
        return Segment.in(folder).stream()
                .filter(each -> each.first() > first)
                .findFirst()
                .orElse(null);
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
