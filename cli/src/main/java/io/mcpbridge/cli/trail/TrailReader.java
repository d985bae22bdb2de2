package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.verify.AuditReader;
import io.mcpbridge.audit.verify.AuditReader.Position;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.failure.VisibleText;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a trail from a position on: the records that a filter accepts, each with its call.
 */
final class TrailReader implements AutoCloseable {
    private final AuditReader lines;
    private final TrailFilter filter;
    private final OpenCalls calls = new OpenCalls();
    private final InvalidLines invalidLines = new InvalidLines();
    private Optional<Instant> first = Optional.empty();

    /** A record with the call that it belongs to. */
    record Found(ParsedRecord record, TrailEntry entry) {}

    private TrailReader(AuditReader lines, TrailFilter filter) {
        this.lines = lines;
        this.filter = filter;
    }

    /** Begins at {@code place}; if that is within a line, at the next line. */
    static TrailReader from(TrailFolder folder, Position place, TrailFilter filter) throws IOException {
        if (place.offset() == 0) {
            return new TrailReader(folder.linesFrom(place), filter);
        }
        var lines = folder.linesFrom(new Position(place.segment(), place.offset() - 1));
        var unusedBeginning = lines.nextLine();
        return new TrailReader(lines, filter);
    }

    /** The next record that the filter accepts; empty if there is none yet, or no more can follow. */
    Optional<Found> next() throws IOException {
        for (var line = lines.nextLine(); line.isPresent(); line = lines.nextLine()) {
            // A record that a later segment replaces was never durable, so it is skipped.
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

    private Optional<ParsedRecord> record(byte[] line) {
        try {
            var record = ParsedRecord.parse(line);
            first = first.or(() -> Optional.of(record.time()));
            return Optional.of(record);
        } catch (ProtocolException noRecord) {
            invalidLines.note(lines.position(), String.valueOf(noRecord.getMessage()));
            return Optional.empty();
        }
    }

    private Optional<Found> found(ParsedRecord record) {
        var entry = calls.take(record);
        if (!filter.isBegunInTime(entry)) {
            calls.forget(record);
        }
        return filter.matches(record, entry) ? Optional.of(new Found(record, entry)) : Optional.empty();
    }

    /** The calls that the filter accepts and that have not ended. */
    List<TrailEntry> open() {
        return calls.open().stream().filter(filter.wanted()).toList();
    }

    /** The time of the first record that was read. */
    Instant first() {
        return first.orElse(Instant.MAX);
    }

    /** The messages about invalid lines that were not reported yet. */
    List<String> unreported() {
        return invalidLines.unreported();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    /** Collects messages about lines that are not records: about the first five, then about every 1,000th. */
    private static final class InvalidLines {
        private static final int FEW = 5;
        private static final int MANY = 1_000;

        private final List<String> unreported = new ArrayList<>();
        private long count;

        /** Adds a line that ends before {@code end}. */
        void note(Position end, String why) {
            count++;
            if (count <= FEW || count % MANY == 0) {
                unreported.add("segment '%s', before byte %d: %s (%d so far)"
                        .formatted(end.segment().name(), end.offset(), VisibleText.of(why), count));
            }
        }

        List<String> unreported() {
            var all = List.copyOf(unreported);
            unreported.clear();
            return all;
        }
    }

    /**
     * Joins the enter and the exit of each call. With very many open calls it evicts the oldest ones, whose exits are
     * then shown without their enters.
     */
    private static final class OpenCalls {
        private static final int MOST = 16_384;

        private final Map<String, TrailEntry.Start> beginnings = new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, TrailEntry.Start> eldest) {
                return size() > MOST;
            }
        };

        /** The entry of the record, joined with its enter if that was read. */
        TrailEntry take(ParsedRecord record) {
            return switch (record.type()) {
                case ENTER -> {
                    var begun = TrailEntry.Start.of(record);
                    beginnings.put(begun.call(), begun);
                    yield TrailEntry.open(begun);
                }
                case EXIT -> {
                    var begun = beginnings.remove(id(record));
                    yield begun == null ? TrailEntry.endedWithoutEnter(record) : TrailEntry.ended(record, begun);
                }
                case DENIED -> TrailEntry.denied(record);
                case NOTE -> TrailEntry.note(record);
            };
        }

        /** Forgets a call that the filter rejects. */
        void forget(ParsedRecord enter) {
            beginnings.remove(id(enter));
        }

        boolean isEmpty() {
            return beginnings.isEmpty();
        }

        private static String id(ParsedRecord record) {
            return record.text("correlationId").orElse("");
        }

        /** The calls without an exit. */
        List<TrailEntry> open() {
            return beginnings.values().stream().map(TrailEntry::open).toList();
        }
    }
}
