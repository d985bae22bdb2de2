package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.failure.ProtocolException;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One reading of a trail from a place on: the records that a filter lets through, each with what is known of its call.
 */
final class TrailReading implements AutoCloseable {
    private final TrailLines lines;
    private final TrailFilter filter;
    private final OpenCalls calls = new OpenCalls();
    private final Garbage garbage = new Garbage();
    private Optional<Instant> first = Optional.empty();

    /** A record with what it tells together with its enter. */
    record Found(AuditLine record, TrailEntry entry) {}

    private TrailReading(TrailLines lines, TrailFilter filter) {
        this.lines = lines;
        this.filter = filter;
    }

    /** Begins at {@code place}, or with the first line after it where it is within a line. */
    static TrailReading from(TrailFolder folder, TrailPlace place, TrailFilter filter) throws IOException {
        if (place.offset() == 0) {
            return new TrailReading(new TrailLines(folder, place), filter);
        }
        var lines = new TrailLines(folder, new TrailPlace(place.segment(), place.offset() - 1));
        var unusedBeginning = lines.next();
        return new TrailReading(lines, filter);
    }

    /** The next record that is wanted; empty where there is none yet, or can be none. */
    Optional<Found> next() throws IOException {
        for (var line = lines.next(); line.isPresent(); line = lines.next()) {
            // What a later segment takes the place of could not be made durable, and counts for nothing.
            var record = record(line.get()).filter(each -> each.sequence() < lines.end());
            var found = record.flatMap(this::found);
            if (found.isPresent()) {
                return found;
            }
            if (record.filter(filter::isPast).isPresent() && calls.isEmpty()) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private Optional<AuditLine> record(byte[] line) {
        try {
            var record = AuditLine.parse(line);
            first = first.or(() -> Optional.of(record.time()));
            return Optional.of(record);
        } catch (ProtocolException noRecord) {
            garbage.note(lines.place(), String.valueOf(noRecord.getMessage()));
            return Optional.empty();
        }
    }

    private Optional<Found> found(AuditLine record) {
        var entry = calls.take(record);
        if (!filter.isBegunInTime(entry)) {
            calls.forget(record);
        }
        return filter.matches(record, entry) ? Optional.of(new Found(record, entry)) : Optional.empty();
    }

    /** The calls that are wanted and have not ended. */
    List<TrailEntry> open() {
        return calls.open().stream().filter(filter.wanted()).toList();
    }

    /** When the first record was written that was read. */
    Instant first() {
        return first.orElse(Instant.MAX);
    }

    /** What was found that is no record and was not told yet. */
    List<String> untold() {
        return garbage.untold();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
