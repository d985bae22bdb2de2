package io.mcpbridge.audit.file;

import io.mcpbridge.spi.AuditNote;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Counts the records that are missing in the trail, until a record of the trail says so. Any thread. */
final class Losses {
    private final Map<Pending.Kind, Long> lost = new ConcurrentHashMap<>();
    private final Map<Pending.Kind, Long> told = new ConcurrentHashMap<>();

    /** One record is missing. */
    void add(Pending.Kind kind) {
        lost.merge(kind, 1L, Long::sum);
    }

    /** How many there have been. */
    long total() {
        return sum(lost);
    }

    /** The record that tells how many are missing, if there are any; {@link Gap#isTold} once it is in the trail. */
    Optional<Gap> gap() {
        if (lost.isEmpty()) {
            return Optional.empty();
        }
        var counts = new EnumMap<Pending.Kind, Long>(Pending.Kind.class);
        for (var kind : Pending.Kind.values()) {
            counts.put(kind, lost.getOrDefault(kind, 0L) - told.getOrDefault(kind, 0L));
        }
        return sum(counts) == 0 ? Optional.empty() : Optional.of(new Gap(counts));
    }

    private static long sum(Map<Pending.Kind, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** So many of each kind are missing. */
    final class Gap {
        private final Map<Pending.Kind, Long> counts;

        private Gap(Map<Pending.Kind, Long> counts) {
            this.counts = counts;
        }

        AuditNote note() {
            var details = new HashMap<String, String>();
            counts.forEach((kind, count) -> details.put(kind.name().toLowerCase(Locale.ROOT), Long.toString(count)));
            details.put("lost", Long.toString(sum(counts)));
            return new AuditNote(AuditNote.GAP, details);
        }

        /** The trail has the record. */
        void isTold() {
            counts.forEach((kind, count) -> told.merge(kind, count, Long::sum));
        }
    }
}
