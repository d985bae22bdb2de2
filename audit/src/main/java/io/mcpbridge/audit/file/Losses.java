package io.mcpbridge.audit.file;

import io.mcpbridge.spi.AuditNote;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts the records that are missing in the trail, until a record of the trail says so. Any thread. */
final class Losses {
    private static final Pending.Kind[] KINDS = Pending.Kind.values();

    private final AtomicLongArray lost = new AtomicLongArray(KINDS.length);
    private final AtomicLongArray told = new AtomicLongArray(KINDS.length);

    /** One record is missing. */
    void add(Pending.Kind kind) {
        lost.incrementAndGet(kind.ordinal());
    }

    /** How many there have been. */
    long total() {
        return sum(lost);
    }

    /** Whether some have not been told. */
    boolean areUntold() {
        return sum(lost) > sum(told);
    }

    /** The record that tells how many are missing, if there are any; {@link Gap#isTold} once it is in the trail. */
    Optional<Gap> gap() {
        if (!areUntold()) {
            return Optional.empty();
        }
        var counts = new long[KINDS.length];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = lost.get(i) - told.get(i);
        }
        return Optional.of(new Gap(counts));
    }

    private static long sum(AtomicLongArray counts) {
        var sum = 0L;
        for (int i = 0; i < counts.length(); i++) {
            sum += counts.get(i);
        }
        return sum;
    }

    /** So many of each kind are missing. */
    final class Gap {
        private final long[] counts;

        private Gap(long[] counts) {
            this.counts = counts;
        }

        AuditNote note() {
            Map<String, String> details = new LinkedHashMap<>();
            var sum = 0L;
            for (var kind : KINDS) {
                var count = counts[kind.ordinal()];
                sum += count;
                details.put(kind.name().toLowerCase(Locale.ROOT), Long.toString(count));
            }
            details.put("lost", Long.toString(sum));
            return new AuditNote(AuditNote.GAP, details);
        }

        /** The trail has the record. */
        void isTold() {
            for (int i = 0; i < counts.length; i++) {
                told.addAndGet(i, counts[i]);
            }
        }
    }
}
