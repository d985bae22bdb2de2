package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/**
 * A histogram of a server's response times over the last five minutes, in buckets that grow by an eighth of a doubling.
 * Recording takes no lock and allocates nothing. Any thread.
 */
public final class LatencyStats {
    private static final int WINDOWS = 5;
    private static final long WINDOW = Duration.ofMinutes(1).toNanos();

    /** Each doubling has so many buckets, as a power of two. */
    private static final int RESOLUTION = 3;

    private static final int BUCKETS = 64 << RESOLUTION;

    /**
     * The figures at one moment. Immutable.
     *
     * @param calls how many calls were answered; if 0, all figures are zero
     * @param p50 half of the calls took no longer
     * @param p95 95 of 100 calls took no longer
     * @param p99 99 of 100 calls took no longer
     */
    public record Snapshot(long calls, Duration p50, Duration p95, Duration p99) {
        public static final Snapshot NONE = new Snapshot(0, Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    private final Timekeeper timekeeper;
    private final AtomicIntegerArray counts = new AtomicIntegerArray(WINDOWS * BUCKETS);
    private final AtomicLongArray minutes = new AtomicLongArray(WINDOWS);
    private final long begin;

    public LatencyStats(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
        this.begin = timekeeper.nanoTime();
    }

    /**
     * Records a call.
     *
     * @param sent when it was sent, in nanoseconds on the timekeeper's clock
     * @param answered when it was answered, likewise
     */
    public void record(long sent, long answered) {
        var minute = (answered - begin) / WINDOW;
        var window = (int) (minute % WINDOWS);
        var before = minutes.get(window);
        if (before < minute && minutes.compareAndSet(window, before, minute)) {
            // A count of another thread may get lost at this moment; the figures are for people.
            IntStream.range(0, BUCKETS).forEach(bucket -> counts.set(window * BUCKETS + bucket, 0));
        }
        counts.incrementAndGet(window * BUCKETS + bucket(Math.max(1, answered - sent)));
    }

    /** The figures of the last five minutes. */
    public Snapshot snapshot() {
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
        return new Snapshot(
                calls, percentile(sums, calls, 0.5), percentile(sums, calls, 0.95), percentile(sums, calls, 0.99));
    }

    private static Duration percentile(long[] sums, long calls, double share) {
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
        var rest = doublings < RESOLUTION ? nanos << (RESOLUTION - doublings) : nanos >>> (doublings - RESOLUTION);
        return (doublings << RESOLUTION) + (int) (rest & ((1 << RESOLUTION) - 1));
    }

    private static long middle(int bucket) {
        var doublings = bucket >>> RESOLUTION;
        var eighths = bucket & ((1 << RESOLUTION) - 1);
        return (long) (Math.scalb(1.0, doublings) * (1 + (eighths + 0.5) / (1 << RESOLUTION)));
    }
}
