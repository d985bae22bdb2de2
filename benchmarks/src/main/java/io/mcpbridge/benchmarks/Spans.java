package io.mcpbridge.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;

/** Measures the durations of an operation in rounds. Not thread-safe. */
final class Spans {
    private final List<double[]> rounds = new ArrayList<>();

    /** The measured operation. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    /** One round. */
    void measure(int times, Work work) throws Exception {
        var micros = new double[times];
        for (int i = 0; i < times; i++) {
            var begun = System.nanoTime();
            work.run();
            micros[i] = (System.nanoTime() - begun) / 1e3;
        }
        Arrays.sort(micros);
        rounds.add(micros);
    }

    /** The median of the rounds, in microseconds. */
    double at(double share) {
        return median(rounds.stream().mapToDouble(round -> round[(int) (share * (round.length - 1))]));
    }

    static double median(DoubleStream values) {
        var sorted = values.sorted().toArray();
        return sorted[sorted.length / 2];
    }

    String line(String name) {
        return "| %s | %.0f | %.0f | %.0f |".formatted(name, at(0.5), at(0.95), at(0.99));
    }
}
