package io.mcpbridge.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** One line of the table: a contender, its callers and its measurements. Not thread-safe. */
final class Row implements AutoCloseable {
    private final String name;
    /** One per caller; callers that share a contender have the same one. */
    private final List<? extends Contender> contenders;

    private final ExecutorService threads;
    private final List<Round> rounds = new ArrayList<>();

    private record Round(double perSecond, double p50, double p95, double p99, long errors) {}

    /** The measurements of one caller. */
    private static final class Lane {
        private final LongStream.Builder nanos = LongStream.builder();
        private long errors;
    }

    /** Callers that share a contender. */
    Row(String name, int callers, Contender contender) {
        this(name, Collections.nCopies(callers, contender));
    }

    /** A caller for each contender. */
    Row(String name, List<? extends Contender> contenders) {
        this.name = name;
        this.contenders = List.copyOf(contenders);
        this.threads = Executors.newFixedThreadPool(contenders.size());
    }

    void warmUp(Duration span) throws InterruptedException {
        var unused = run(span);
    }

    void measure(Duration span) throws InterruptedException {
        rounds.add(run(span));
    }

    double perSecond() {
        return median(rounds.stream().mapToDouble(Round::perSecond).toArray());
    }

    /** In microseconds. */
    double p50() {
        return median(rounds.stream().mapToDouble(Round::p50).toArray());
    }

    /** In microseconds. */
    double p95() {
        return median(rounds.stream().mapToDouble(Round::p95).toArray());
    }

    /** In microseconds. */
    double p99() {
        return median(rounds.stream().mapToDouble(Round::p99).toArray());
    }

    /**
     * The ratio of this row's p99 to that of {@code other}: the median over adjacent rounds, so that a slow phase of
     * the machine affects both.
     */
    double p99Beside(Row other) {
        return median(IntStream.range(0, rounds.size())
                .mapToDouble(round -> rounds.get(round).p99 / other.rounds.get(round).p99)
                .toArray());
    }

    long errors() {
        return rounds.stream().mapToLong(Round::errors).sum();
    }

    String line() {
        var spread = rounds.stream().mapToDouble(Round::p50).summaryStatistics();
        return "| %-44s | %7d | %9.0f | %8.1f | %8.1f | %8.1f-%-8.1f | %6d |"
                .formatted(
                        name, contenders.size(), perSecond(), p50(), p99(), spread.getMin(), spread.getMax(), errors());
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        for (var contender : Set.copyOf(contenders)) {
            contender.close();
        }
    }

    private Round run(Duration span) throws InterruptedException {
        var end = System.nanoTime() + span.toNanos();
        var begun = System.nanoTime();
        var lanes = new ArrayList<Callable<Lane>>();
        for (var contender : contenders) {
            lanes.add(() -> lane(contender, end));
        }
        var done = new ArrayList<Lane>();
        for (var lane : threads.invokeAll(lanes)) {
            try {
                done.add(lane.get());
            } catch (ExecutionException defect) {
                throw new IllegalStateException(name + " cannot be measured", defect.getCause());
            }
        }
        var seconds = (System.nanoTime() - begun) / 1e9;
        var nanos =
                done.stream().flatMapToLong(lane -> lane.nanos.build()).sorted().toArray();
        var errors = done.stream().mapToLong(lane -> lane.errors).sum();
        return new Round(nanos.length / seconds, at(nanos, 0.5), at(nanos, 0.95), at(nanos, 0.99), errors);
    }

    private static Lane lane(Contender contender, long end) {
        var lane = new Lane();
        while (System.nanoTime() < end) {
            try {
                contender.pause();
                var begun = System.nanoTime();
                contender.call();
                lane.nanos.add(System.nanoTime() - begun);
            } catch (Exception failed) {
                // A benchmark counts every failure, whatever its kind.
                lane.errors++;
            }
        }
        return lane;
    }

    private static double at(long[] sorted, double share) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) (share * (sorted.length - 1))] / 1e3;
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
