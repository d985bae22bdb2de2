package io.mcpbridge.audit.jdbc;

import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.spi.AuditSink.AuditNote;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the calls of this run with an enter record and no exit record. From time to time it makes a note of the first
 * record that may have an open call, so that the next start need not read the whole run. For one thread.
 */
final class OldestOpenCall {
    /** The kind of the note that all calls before a given record have ended. */
    static final String ENDED = "calls-ended";

    private static final String BEFORE = "before";

    /** The number of records between two notes. */
    static final int SPAN = 10_000;

    /**
     * The most open calls. More of them mean lost exits: then no more notes are made, and the next start reads from the
     * last note on.
     */
    private static final int MAX_OPEN = 100_000;

    /** By correlation id. */
    private final Map<String, Open> open = new HashMap<>();

    private long next = SPAN;
    private boolean isOverflown;

    /**
     * The open calls of one correlation id; several if clients choose the same id.
     *
     * @param since the sequence of the first enter
     */
    private record Open(long since, int calls) {
        Open andOneMore() {
            return new Open(since, calls + 1);
        }

        @Nullable
        Open andOneLess() {
            return calls == 1 ? null : new Open(since, calls - 1);
        }
    }

    /** Sets the sequence of the head at the start of this run, or after another process changed the trail. */
    void beginAt(long sequence) {
        next = sequence + SPAN;
    }

    /** Processes lines that are in the trail; returns the note that is due, or empty. */
    Optional<AuditNote> written(List<ParsedRecord> lines) {
        lines.forEach(this::take);
        var last = lines.get(lines.size() - 1).sequence();
        if (isOverflown || last < next) {
            return Optional.empty();
        }
        next = last + SPAN;
        // Calls from before a change of the trail may have a higher sequence than the last line.
        var before = open.values().stream().mapToLong(Open::since).reduce(last + 1, Math::min);
        return Optional.of(new AuditNote(ENDED, Map.of(BEFORE, Long.toString(before))));
    }

    private void take(ParsedRecord line) {
        var id = line.text("correlationId").orElse("");
        if (line.type() == RecordType.ENTER) {
            open.merge(id, new Open(line.sequence(), 1), (calls, another) -> calls.andOneMore());
        } else if (line.type() == RecordType.EXIT) {
            open.computeIfPresent(id, (same, calls) -> calls.andOneLess());
        }
        if (open.size() > MAX_OPEN) {
            isOverflown = true;
            open.clear();
        }
    }

    /** The sequence after which calls may be open, according to such a note; 0 if it has none. */
    static long after(ParsedRecord note) {
        var before = note.text("details", BEFORE).filter(text -> text.matches("[1-9][0-9]{0,17}"));
        return before.map(text -> Long.parseLong(text) - 1).orElse(0L);
    }
}
