package io.mcpbridge.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/** Measures the durations of an operation in rounds, in microseconds. Not thread-safe. */
final class Spans {
    private final List<double[]> rounds = new ArrayList<>();

    /** The measured operation. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    /** One round. */
    void measure(int times, Work work) throws Exception {
        var micros = DoubleStream.builder();
        for (int i = 0; i < times; i++) {
            var begun = System.nanoTime();
            work.run();
            micros.add((System.nanoTime() - begun) / 1e3);
        }
        rounds.add(micros.build().sorted().toArray());
    }

    /** The median of the rounds. */
    double at(double share) {
        return median(rounds.stream().mapToDouble(round -> at(round, share)));
    }

    /** The value that this share of sorted values does not exceed. */
    static double at(double[] sorted, double share) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) (share * (sorted.length - 1))];
    }

    static double median(DoubleStream values) {
        var sorted = values.sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /** The median of the ratios of values of the same round, so that a slow phase of the machine affects both. */
    static double ratio(DoubleStream values, DoubleStream others) {
        var divisors = others.iterator();
        return median(values.map(value -> value / divisors.nextDouble()));
    }

    String line(String name) {
        return "| %s | %.0f | %.0f | %.0f |".formatted(name, at(0.5), at(0.95), at(0.99));
    }
}
