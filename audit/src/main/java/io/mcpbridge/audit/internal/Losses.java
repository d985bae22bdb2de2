package io.mcpbridge.audit.internal;

import io.mcpbridge.audit.internal.Waiting.Kind;
import io.mcpbridge.spi.AuditNote;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** How many records did not come into the trail, of each kind. For one thread. */
public final class Losses {
    private final Map<Kind, Long> lost = new EnumMap<>(Kind.class);

    /** One more. */
    public void add(Kind kind) {
        lost.merge(kind, 1L, Long::sum);
    }

    public void addAll(Losses others) {
        others.lost.forEach((kind, count) -> lost.merge(kind, count, Long::sum));
    }

    public boolean isEmpty() {
        return lost.isEmpty();
    }

    public long total() {
        return lost.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The note that says so: {@code lost} in all, and of each kind that was lost. */
    public AuditNote note() {
        var details = new TreeMap<String, String>();
        details.put("lost", Long.toString(total()));
        lost.forEach((kind, count) -> details.put(kind.name().toLowerCase(Locale.ROOT), Long.toString(count)));
        return new AuditNote(AuditNote.GAP, details);
    }
}
