package io.mcpbridge.spi;

import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what somebody outside can bring about as often as they like, and says which of it is told: the 1st, 2nd,
 * 4th, 8th … of each kind, so that nobody can fill a log or a trail, nor hide one kind behind another. Any thread may
 * use it.
 */
public final class Occurrences {
    /** So many kinds are told apart; all further ones are counted as one. */
    private static final int MAX_KINDS = 1_024;

    private static final String FURTHER = "";

    private final ConcurrentMap<String, AtomicLong> counts = new ConcurrentHashMap<>();

    /** Counts one more of this kind; how many there are by now, if this one is to be told. */
    public OptionalLong count(String kind) {
        var known = counts.containsKey(kind) || counts.size() < MAX_KINDS ? kind : FURTHER;
        long count = counts.computeIfAbsent(known, absent -> new AtomicLong()).incrementAndGet();
        return Long.bitCount(count) == 1 ? OptionalLong.of(count) : OptionalLong.empty();
    }
}
