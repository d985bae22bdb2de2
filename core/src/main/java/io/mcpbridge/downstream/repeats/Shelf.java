package io.mcpbridge.downstream.repeats;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Calls that have ended, in that order, and what their outcomes weigh. One thread at a time. */
final class Shelf {

    /** What is known of a call that has ended: the size of its outcome, and when that was. */
    record Kept(int bytes, long endedAt) {}

    private final Map<KeyedCall, Kept> ended = new LinkedHashMap<>();
    private final Set<KeyedCall> withOutcome = new LinkedHashSet<>();
    private long bytes;

    /** How many calls are under way beside these. */
    int running;

    void add(KeyedCall call, Kept kept) {
        ended.put(call, kept);
        if (kept.bytes() > 0) {
            withOutcome.add(call);
            bytes += kept.bytes();
        }
    }

    /** Takes the outcome away, and leaves that the call was. */
    void empty(KeyedCall call) {
        var kept = ended.get(call);
        if (kept != null && withOutcome.remove(call)) {
            bytes -= kept.bytes();
        }
    }

    void remove(KeyedCall call) {
        empty(call);
        ended.remove(call);
    }

    int size() {
        return ended.size();
    }

    long bytes() {
        return bytes;
    }

    KeyedCall oldest() {
        return ended.keySet().iterator().next();
    }

    KeyedCall oldestOutcome() {
        return withOutcome.iterator().next();
    }

    long endOf(KeyedCall call) {
        return Objects.requireNonNull(ended.get(call), "a call that is not here")
                .endedAt();
    }
}
