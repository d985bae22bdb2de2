package io.mcpbridge.audit.jdbc;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.spi.AuditNote;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The calls of this run whose enter is in the trail and whose exit is not. Says by a note now and then before which record
 * none of them began, so that the next start need not look at all that one run wrote. For one thread.
 */
final class OpenEnters {
    /** The note that all calls have ended whose enter stands before a place. */
    static final String ENDED = "calls-ended";

    private static final String BEFORE = "before";

    /** How many records there are from one note to the next. */
    static final int SPAN = 10_000;

    /** Where more are open, exits must have been lost, and the next start looks for them from the last note on. */
    private static final int MOST = 100_000;

    /** By correlation id. */
    private final Map<String, Open> open = new HashMap<>();

    private long next = SPAN;
    private boolean isTooMuch;

    /**
     * Calls of one id that are open, of which there is one where no client chose it.
     *
     * @param since the sequence of the first one's enter
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

    /** Where the trail stands as this run begins, or goes on elsewhere. */
    void beginAt(long sequence) {
        next = sequence + SPAN;
    }

    /** Takes in lines that are in the trail; what is to be told of it. */
    Optional<AuditNote> written(List<AuditLine> lines) {
        lines.forEach(this::take);
        var last = lines.get(lines.size() - 1).sequence();
        if (isTooMuch || last < next) {
            return Optional.empty();
        }
        next = last + SPAN;
        // Calls that began where the trail no longer stands come later than what is written now.
        var before = open.values().stream().mapToLong(Open::since).reduce(last + 1, Math::min);
        return Optional.of(new AuditNote(ENDED, Map.of(BEFORE, Long.toString(before))));
    }

    private void take(AuditLine line) {
        var id = line.text("correlationId").orElse("");
        if (line.type() == RecordType.ENTER) {
            open.merge(id, new Open(line.sequence(), 1), (those, another) -> those.andOneMore());
        } else if (line.type() == RecordType.EXIT) {
            open.computeIfPresent(id, (same, those) -> those.andOneLess());
        }
        if (open.size() > MOST) {
            isTooMuch = true;
            open.clear();
        }
    }

    /** Behind which record the calls begin that may be open, by such a note; 0 where it does not say so. */
    static long after(AuditLine note) {
        return note.data().get("details") instanceof Map<?, ?> details
                        && details.get(BEFORE) instanceof String before
                        && before.matches("[1-9][0-9]{0,17}")
                ? Long.parseLong(before) - 1
                : 0;
    }
}
