package io.mcpbridge.benchmarks;

import java.io.Closeable;
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
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** What is measured together: contenders, one per caller, in rounds. Not thread-safe. */
final class Row implements Closeable {
    /** How long a call may take after the end of a round; then its caller is stuck, which counts as an error. */
    private static final Duration ANSWER = Duration.ofSeconds(15);

    private final String name;
    /** One per caller; callers that share a contender have the same one. */
    private final List<? extends Contender> contenders;

    private final ExecutorService threads;
    private final List<Round> rounds = new ArrayList<>();
    private long errors;

    /**
     * The calls of all callers; percentiles, and the CPU of one call if it was measured, in microseconds.
     *
     * @param allocated the bytes that the threads of this process have allocated for a call
     */
    record Round(long calls, double perSecond, double p50, double p95, double p99, double allocated, Usage usage) {
        double cpuAlone() {
            return usage.alone();
        }

        double cpuWithServer() {
            return usage.withServer();
        }
    }

    /** The measurements of one caller. */
    private static final class Lane {
        private final DoubleStream.Builder micros = DoubleStream.builder();
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

    /** Runs a round of which only errors count; returns its calls per second. */
    double warmUp(Duration span) throws InterruptedException {
        return run(span).perSecond;
    }

    void measure(Duration span) throws InterruptedException {
        rounds.add(run(span));
    }

    /** Measures the CPU that a process uses for a call, too. */
    void measure(Duration span, ProcessHandle process) throws InterruptedException {
        var before = Usage.of(process);
        var round = run(span);
        var usage = Usage.of(process).since(before).dividedBy(round.calls);
        rounds.add(new Round(round.calls, round.perSecond, round.p50, round.p95, round.p99, round.allocated, usage));
    }

    double perSecond() {
        return median(Round::perSecond);
    }

    double p50() {
        return median(Round::p50);
    }

    /** The p50 of the round where it is least. */
    double fastestP50() {
        return each(Round::p50).min().orElse(Double.NaN);
    }

    double p95() {
        return median(Round::p95);
    }

    double p99() {
        return median(Round::p99);
    }

    double median(ToDoubleFunction<Round> figure) {
        return Spans.median(each(figure));
    }

    /** A figure of this row, divided by that of another which was measured in the same rounds. */
    double ratio(ToDoubleFunction<Round> figure, Row other) {
        return Spans.ratio(each(figure), other.each(figure));
    }

    private DoubleStream each(ToDoubleFunction<Round> figure) {
        return rounds.stream().mapToDouble(figure);
    }

    /** Failed calls and stuck callers, those of the warm-up among them. */
    long errors() {
        return errors;
    }

    String line() {
        return "| %s | %d | %.0f | %.1f | %.1f | %d |"
                .formatted(name, contenders.size(), perSecond(), p50(), p99(), errors());
    }

    /** Calls a second, p50, p99 and the two figures of CPU, as cells of a table. */
    String cells() {
        return "%.0f | %.0f | %.0f | %.0f, %.0f"
                .formatted(perSecond(), p50(), p99(), median(Round::cpuAlone), median(Round::cpuWithServer));
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        for (var contender : Set.copyOf(contenders)) {
            contender.close();
        }
    }

    private Round run(Duration span) throws InterruptedException {
        var allocatedBefore = Usage.allocated();
        var begun = System.nanoTime();
        var end = begun + span.toNanos();
        var lanes = new ArrayList<Callable<Lane>>();
        var sockets = sockets();
        if (sockets.size() > 1) {
            lanes.add(() -> lane(sockets, end));
        } else {
            contenders.forEach(contender -> lanes.add(() -> lane(contender, end)));
        }
        var done = new ArrayList<Lane>();
        for (var lane :
                threads.invokeAll(lanes, span.plus(ANSWER).plusSeconds(1).toNanos(), TimeUnit.NANOSECONDS)) {
            try {
                done.add(lane.get());
            } catch (CancellationException stuck) {
                errors++;
            } catch (ExecutionException defect) {
                throw new IllegalStateException(name + " cannot be measured", defect.getCause());
            }
        }
        var seconds = (System.nanoTime() - begun) / 1e9;
        var allocated = Usage.allocatedSince(allocatedBefore);
        var micros = done.stream()
                .flatMapToDouble(lane -> lane.micros.build())
                .sorted()
                .toArray();
        errors += done.stream().mapToLong(lane -> lane.errors).sum();
        return new Round(
                micros.length,
                micros.length / seconds,
                Spans.at(micros, 0.5),
                Spans.at(micros, 0.95),
                Spans.at(micros, 0.99),
                (double) allocated / micros.length,
                Usage.NONE);
    }

    /** The callers, if each has a socket of its own. */
    private List<SocketCaller> sockets() {
        var sockets = contenders.stream()
                .filter(SocketCaller.class::isInstance)
                .map(SocketCaller.class::cast)
                .toList();
        return sockets.size() == contenders.size() ? sockets : List.of();
    }

    /** The calls of all sockets on this thread. */
    private Lane lane(List<SocketCaller> sockets, long end) throws IOException {
        var lane = new Lane();
        new SocketLanes(lane.micros, failed -> count(failed, lane)).run(sockets, end, ANSWER.toNanos());
        return lane;
    }

    private Lane lane(Contender contender, long end) {
        var lane = new Lane();
        while (System.nanoTime() < end) {
            try {
                contender.prepare();
                var begun = System.nanoTime();
                contender.call();
                lane.micros.add((System.nanoTime() - begun) / 1e3);
            } catch (Exception failed) {
                // A benchmark counts every failure, whatever its kind.
                count(failed, lane);
                if (!isConnected(contender)) {
                    return lane;
                }
            }
        }
        return lane;
    }

    private void count(Exception failed, Lane lane) {
        if (lane.errors++ == 0) {
            System.err.printf("%s: %s%n", name, failed);
        }
    }

    /** Connects again, so that no later call reads an answer of an earlier one; a caller that cannot leaves the round. */
    private static boolean isConnected(Contender contender) {
        try {
            contender.reconnect();
            return true;
        } catch (IOException unreachable) {
            return false;
        }
    }
}
