package io.mcpbridge.audit.verify;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.failure.ProtocolException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a trail in their order, from segment to segment, also while it is written. For one thread at a
 * time, with bounded memory; only {@link AuditVerifier} tells whether they are what was written.
 */
public final class AuditReader implements AutoCloseable {
    private final Path folder;
    private @Nullable Segment segment;
    private @Nullable SegmentReader reader;
    private long nextFirst;
    private long from;

    private AuditReader(Path folder, long from) {
        this.folder = folder;
        this.from = from;
    }

    /**
     * A line of a trail.
     *
     * @param segment the name of the file
     * @param line its number in that file
     * @param record empty where the line is none
     * @param problem why it is none, else empty
     */
    public record Entry(String segment, long line, Optional<AuditLine> record, String problem) {}

    /** Reads from the beginning of what is there. */
    public static AuditReader open(Path folder) {
        return from(folder, 1);
    }

    /** Reads from the record {@code sequence}, or from the first one after it that is there. */
    public static AuditReader from(Path folder, long sequence) {
        return new AuditReader(folder, sequence);
    }

    /** The next line, or empty where there is none yet: the next call looks again. */
    public Optional<Entry> next() throws IOException {
        while (true) {
            if (reader == null && !openNext()) {
                return Optional.empty();
            }
            var entry = nextHere();
            if (entry.isPresent()) {
                return entry;
            }
            if (!isOver()) {
                return Optional.empty();
            }
            // What was written between the last look and the beginning of the next segment has to be read first.
            entry = nextHere();
            if (entry.isPresent()) {
                return entry;
            }
            closeReader();
        }
    }

    /** Lines that a later segment takes the place of count for nothing, and those before the wanted one are passed over. */
    private Optional<Entry> nextHere() throws IOException {
        var current = reader;
        var name = segment == null ? "" : segment.name();
        if (current == null) {
            return Optional.empty();
        }
        for (var line = current.next(); line.isPresent(); line = current.next()) {
            var entry = entry(name, line.get());
            var sequence = entry.record().map(AuditLine::sequence).orElse(from);
            if (sequence >= nextFirst) {
                return Optional.empty();
            }
            if (sequence >= from) {
                from = entry.record().isPresent() ? sequence + 1 : from;
                return Optional.of(entry);
            }
        }
        return Optional.empty();
    }

    private static Entry entry(String name, SegmentReader.Line line) {
        try {
            return new Entry(name, line.number(), Optional.of(AuditLine.parse(line.bytes())), "");
        } catch (ProtocolException noRecord) {
            return new Entry(name, line.number(), Optional.empty(), String.valueOf(noRecord.getMessage()));
        }
    }

    private boolean isOver() throws IOException {
        var current = segment;
        if (current == null) {
            return true;
        }
        nextFirst = after(current.first()).map(Segment::first).orElse(Long.MAX_VALUE);
        return nextFirst < Long.MAX_VALUE;
    }

    private Optional<Segment> after(long first) throws IOException {
        return Segment.in(folder).stream().filter(each -> each.first() > first).findFirst();
    }

    private boolean openNext() throws IOException {
        var next = segment == null ? holding(Segment.in(folder), from) : after(segment.first());
        if (next.isEmpty()) {
            return false;
        }
        segment = next.get();
        nextFirst = after(segment.first()).map(Segment::first).orElse(Long.MAX_VALUE);
        reader = SegmentReader.open(segment.file());
        return true;
    }

    private static Optional<Segment> holding(List<Segment> all, long sequence) {
        var before = all.stream().filter(each -> each.first() <= sequence).reduce((one, later) -> later);
        return before.or(() -> all.stream().findFirst());
    }

    private void closeReader() throws IOException {
        var current = reader;
        reader = null;
        if (current != null) {
            current.close();
        }
    }

    @Override
    public void close() throws IOException {
        closeReader();
    }
}
