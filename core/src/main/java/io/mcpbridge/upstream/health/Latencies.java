package io.mcpbridge.upstream.health;

import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/**
 * How long a server took for the calls of the last minutes, in buckets that grow by an eighth of a doubling. Recording
 * takes no lock and makes no garbage. Any thread.
 */
public final class Latencies {
    private static final int WINDOWS = 5;
    private static final long WINDOW = Duration.ofMinutes(1).toNanos();

    /** Each doubling has so many buckets, as a power of two. */
    private static final int FINENESS = 3;

    private static final int BUCKETS = 64 << FINENESS;

    private final Timekeeper timekeeper;
    private final AtomicIntegerArray counts = new AtomicIntegerArray(WINDOWS * BUCKETS);
    private final AtomicLongArray minutes = new AtomicLongArray(WINDOWS);
    private final long begin;

    public Latencies(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
        this.begin = timekeeper.nanoTime();
    }

    /**
     * A call that was sent at {@code sent} was answered at {@code answered}, both in nanoseconds on the timekeeper's
     * clock.
     */
    public void record(long sent, long answered) {
        var minute = (answered - begin) / WINDOW;
        var window = (int) (minute % WINDOWS);
        var before = minutes.get(window);
        if (before < minute && minutes.compareAndSet(window, before, minute)) {
            // What another thread counts in this moment may get lost; these are figures to look at.
            IntStream.range(0, BUCKETS).forEach(bucket -> counts.set(window * BUCKETS + bucket, 0));
        }
        counts.incrementAndGet(window * BUCKETS + bucket(Math.max(1, answered - sent)));
    }

    /** The figures of the last five minutes. */
    public Latency read() {
        var sums = new long[BUCKETS];
        var now = (timekeeper.nanoTime() - begin) / WINDOW;
        for (int window = 0; window < WINDOWS; window++) {
            if (now - minutes.get(window) < WINDOWS) {
                for (int bucket = 0; bucket < BUCKETS; bucket++) {
                    sums[bucket] += counts.get(window * BUCKETS + bucket);
                }
            }
        }
        var calls =
                IntStream.range(0, BUCKETS).mapToLong(bucket -> sums[bucket]).sum();
        return new Latency(calls, share(sums, calls, 0.5), share(sums, calls, 0.95), share(sums, calls, 0.99));
    }

    private static Duration share(long[] sums, long calls, double share) {
        var wanted = Math.max(1, (long) Math.ceil(calls * share));
        var seen = 0L;
        for (int bucket = 0; bucket < sums.length && calls > 0; bucket++) {
            seen += sums[bucket];
            if (seen >= wanted) {
                return Duration.ofNanos(middle(bucket));
            }
        }
        return Duration.ZERO;
    }

    private static int bucket(long nanos) {
        var doublings = 63 - Long.numberOfLeadingZeros(nanos);
        var rest = doublings < FINENESS ? nanos << (FINENESS - doublings) : nanos >>> (doublings - FINENESS);
        return (doublings << FINENESS) + (int) (rest & ((1 << FINENESS) - 1));
    }

    private static long middle(int bucket) {
        var doublings = bucket >>> FINENESS;
        var eighths = bucket & ((1 << FINENESS) - 1);
        return (long) (Math.scalb(1.0, doublings) * (1 + (eighths + 0.5) / (1 << FINENESS)));
    }
}
