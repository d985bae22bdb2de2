package io.mcpbridge.audit.internal;

import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.spi.AuditSink.AuditNote;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Counts lost records until a note in the trail reports them. Any thread may use it. */
public final class LostRecordCounter {
    private final Map<RecordType, Long> lost = new ConcurrentHashMap<>();
    private final Map<RecordType, Long> noted = new EnumMap<>(RecordType.class);

    /** Counts one lost record. */
    public void add(RecordType kind) {
        lost.merge(kind, 1L, Long::sum);
    }

    /** The number of lost records, including those that a note reports. */
    public long total() {
        return sum(lost);
    }

    /** The lost records that no note in the trail reports yet. For the writer. */
    public Optional<Gap> gap() {
        var counts = new EnumMap<RecordType, Long>(RecordType.class);
        lost.forEach((kind, count) -> counts.put(kind, count - noted.getOrDefault(kind, 0L)));
        return sum(counts) == 0 ? Optional.empty() : Optional.of(new Gap(counts));
    }

    private static long sum(Map<RecordType, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Marks these losses as reported by a note in the trail. For the writer. */
    public void markNoted(Gap gap) {
        gap.counts.forEach((kind, count) -> noted.merge(kind, count, Long::sum));
    }

    /** The number of lost records of each kind since the last note. */
    public record Gap(Map<RecordType, Long> counts) {
        /** The note {@code gap} with these numbers. */
        public AuditNote note() {
            var details = new HashMap<String, String>();
            for (var kind : RecordType.values()) {
                details.put(kind.name().toLowerCase(Locale.ROOT), Long.toString(counts.getOrDefault(kind, 0L)));
            }
            details.put("lost", Long.toString(sum(counts)));
            return new AuditNote(AuditNote.GAP, details);
        }
    }
}
