package io.mcpbridge.gateway;

import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Many concurrent clients with the same ids and tokens, and one server that answers in random order. */
final class CanaryRun {
    static final int CLIENTS = 100;
    static final int CALLS = 50;
    static final int HTTP_CALLS = 20;
    private static final long SEED = 20_261_121;

    private final CanaryScript script = new CanaryScript(SEED);
    private final Duration silence;

    /** @param silence the time without message after which a client gives up */
    CanaryRun(Duration silence) {
        this.silence = silence;
    }

    CanaryScript script() {
        return script;
    }

    /** The work of one client. */
    private interface Part {
        void run(int number, CanaryReport report) throws IOException, InterruptedException;
    }

    /** Runs all clients on a Unix socket to their end. */
    CanaryReport run(Path socket, String tool) throws InterruptedException {
        return run((number, report) -> new CanaryClient(number, CALLS, tool, SEED, report).run(socket), () -> {});
    }

    /** The same, with a server that is killed once in the middle. */
    CanaryReport run(Path socket, String tool, Runnable kill) throws InterruptedException {
        return run((number, report) -> new CanaryClient(number, CALLS, tool, SEED, report).run(socket), kill);
    }

    /** Runs all clients over HTTP to their end. */
    CanaryReport run(URI address, String tool, Runnable kill) throws InterruptedException {
        return run(
                (number, report) -> new CanaryHttpClient(number, tool, report).run(address, HTTP_CALLS, silence), kill);
    }

    private CanaryReport run(Part part, Runnable kill) throws InterruptedException {
        var threads = Executors.newFixedThreadPool(CLIENTS, work -> new Thread(work, "test-canary"));
        var answering = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "test-canary-answers"));
        var running = new CountDownLatch(CLIENTS);
        try (var report = new CanaryReport(silence)) {
            var answers = answering.scheduleWithFixedDelay(() -> script.answerSome(20), 5, 5, TimeUnit.MILLISECONDS);
            IntStream.range(0, CLIENTS)
                    .forEach(number -> threads.execute(() -> {
                        client(number, part, report);
                        running.countDown();
                    }));
            Eventually.holds("the middle", () -> report.answers() + report.losses() >= CLIENTS);
            kill.run();
            if (!running.await(60, TimeUnit.SECONDS) || answers.isDone()) {
                report.violation("%d clients did not come to an end".formatted(running.getCount()));
            }
            return report;
        } finally {
            threads.shutdownNow();
            answering.shutdownNow();
        }
    }

    private static void client(int number, Part part, CanaryReport report) {
        try {
            part.run(number, report);
        } catch (IOException ended) {
            // The report has counted what was open by then.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
