package io.mcpbridge.testkit.contract;

import java.util.stream.IntStream;

/** Runs the same work on several threads at once. */
final class ParallelThreads {
    private ParallelThreads() {}

    /** Runs {@code work} on {@code count} threads and waits until all have ended. */
    static void run(int count, Runnable work) throws InterruptedException {
        var threads = IntStream.range(0, count)
                .mapToObj(number -> new Thread(work, "w" + number))
                .toList();
        threads.forEach(Thread::start);
        for (var thread : threads) {
            thread.join();
        }
    }
}
