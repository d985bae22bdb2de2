package io.mcpbridge.audit.jdbc;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.spi.AuditSink.AuditNote;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the calls of this run whose enter is in the trail and whose exit is not. Makes a note now and then before which
 * record no call is open, so that the next start need not read all that this run wrote. For one thread.
 */
final class OpenCallTracker {
    /** The kind of the note that all calls have ended that began before a record. */
    static final String ENDED = "calls-ended";

    private static final String BEFORE = "before";

    /** The number of records between two notes. */
    static final int SPAN = 10_000;

    /** With more open calls, exits must have been lost: no more notes are made, and the next start reads from the last one. */
    private static final int MAX_OPEN = 100_000;

    /** By correlation id. */
    private final Map<String, Open> open = new HashMap<>();

    private long next = SPAN;
    private boolean isOverflown;

    /**
     * The open calls of one correlation id; there may be several where clients choose the id.
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

    /** The sequence of the head when this run begins, or when the trail moved. */
    void beginAt(long sequence) {
        next = sequence + SPAN;
    }

    /** Takes lines that are in the trail; returns the note that is due. */
    Optional<AuditNote> written(List<AuditLine> lines) {
        lines.forEach(this::take);
        var last = lines.get(lines.size() - 1).sequence();
        if (isOverflown || last < next) {
            return Optional.empty();
        }
        next = last + SPAN;
        // Calls from before the trail moved may have a higher sequence than the last line.
        var before = open.values().stream().mapToLong(Open::since).reduce(last + 1, Math::min);
        return Optional.of(new AuditNote(ENDED, Map.of(BEFORE, Long.toString(before))));
    }

    private void take(AuditLine line) {
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

    /** The record after which calls may be open, according to such a note; 0 where it does not say so. */
    static long after(AuditLine note) {
        var before = note.text("details", BEFORE).filter(text -> text.matches("[1-9][0-9]{0,17}"));
        return before.map(text -> Long.parseLong(text) - 1).orElse(0L);
    }
}
