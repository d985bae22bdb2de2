package io.mcpbridge.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** One line of the table: a contender, its callers and its measurements. Not thread-safe. */
final class Row implements AutoCloseable {
    /** How long a call may take after the end of a round; then its caller is stuck, which counts as an error. */
    private static final Duration ANSWER = Duration.ofSeconds(15);

    private final String name;
    /** One per caller; callers that share a contender have the same one. */
    private final List<? extends Contender> contenders;

    private final ExecutorService threads;
    private final List<Round> rounds = new ArrayList<>();
    private long errors;

    private record Round(long calls, double perSecond, double p50, double p95, double p99) {}

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

    String name() {
        return name;
    }

    void warmUp(Duration span) throws InterruptedException {
        var unused = once(span);
    }

    /** The calls per second of a round that only {@link #errors} counts. */
    double once(Duration span) throws InterruptedException {
        return run(span).perSecond;
    }

    void measure(Duration span) throws InterruptedException {
        rounds.add(run(span));
    }

    /** The calls of the last round. */
    long calls() {
        return rounds.get(rounds.size() - 1).calls;
    }

    double perSecond() {
        return Spans.median(rounds.stream().mapToDouble(Round::perSecond));
    }

    /** In microseconds. */
    double p50() {
        return Spans.median(rounds.stream().mapToDouble(Round::p50));
    }

    /** In microseconds. */
    double p95() {
        return Spans.median(rounds.stream().mapToDouble(Round::p95));
    }

    /** In microseconds. */
    double p99() {
        return Spans.median(rounds.stream().mapToDouble(Round::p99));
    }

    /**
     * The ratio of this row's p99 to that of {@code other}: the median over adjacent rounds, so that a slow phase of
     * the machine affects both.
     */
    double p99Beside(Row other) {
        return Spans.median(IntStream.range(0, rounds.size())
                .mapToDouble(round -> rounds.get(round).p99 / other.rounds.get(round).p99));
    }

    long errors() {
        return errors;
    }

    String line() {
        return "| %s | %d | %.0f | %.1f | %.1f | %d |"
                .formatted(name, contenders.size(), perSecond(), p50(), p99(), errors());
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
        long stuck = 0;
        for (var lane : threads.invokeAll(lanes, span.plus(ANSWER).toNanos(), TimeUnit.NANOSECONDS)) {
            try {
                done.add(lane.get());
            } catch (CancellationException noAnswer) {
                stuck++;
            } catch (ExecutionException defect) {
                throw new IllegalStateException(name + " cannot be measured", defect.getCause());
            }
        }
        var seconds = (System.nanoTime() - begun) / 1e9;
        var nanos =
                done.stream().flatMapToLong(lane -> lane.nanos.build()).sorted().toArray();
        errors += stuck + done.stream().mapToLong(lane -> lane.errors).sum();
        return new Round(nanos.length, nanos.length / seconds, at(nanos, 0.5), at(nanos, 0.95), at(nanos, 0.99));
    }

    private Lane lane(Contender contender, long end) {
        var lane = new Lane();
        while (System.nanoTime() < end) {
            try {
                contender.pause();
                var begun = System.nanoTime();
                contender.call();
                lane.nanos.add(System.nanoTime() - begun);
            } catch (Exception failed) {
                // A benchmark counts every failure, whatever its kind.
                if (lane.errors++ == 0) {
                    System.err.printf("%s: %s%n", name, failed);
                }
            }
        }
        return lane;
    }

    private static double at(long[] sorted, double share) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) (share * (sorted.length - 1))] / 1e3;
    }
}
