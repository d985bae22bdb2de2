package io.mcpbridge.spi;

import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Samples repeated events that outsiders can cause: reports the 1st, 2nd, 4th, 8th … of each kind, so that no peer can fill
 * a log or a trail, nor hide one kind behind another. Any thread may use it.
 */
public final class PowerOfTwoSampler {
    /** The most kinds that are counted separately; all further ones are counted as one. */
    private static final int MAX_KINDS = 1_024;

    private static final String FURTHER = "";

    private final ConcurrentMap<String, AtomicLong> counts = new ConcurrentHashMap<>();

    /**
     * Counts an event of this kind; returns the number of such events so far if this one is to be reported, else empty.
     */
    public OptionalLong count(String kind) {
        var known = counts.containsKey(kind) || counts.size() < MAX_KINDS ? kind : FURTHER;
        long count = counts.computeIfAbsent(known, absent -> new AtomicLong()).incrementAndGet();
        return Long.bitCount(count) == 1 ? OptionalLong.of(count) : OptionalLong.empty();
    }
}
