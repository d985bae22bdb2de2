package io.mcpbridge.isolation;

import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.LeakCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Processes, zombies among them, open files and threads are after many calls what they were before. */
@EnabledOnOs(OS.LINUX)
class NothingPilesUpTest {
    private static final int CALLS = Integer.getInteger("mcp-bridge.isolated-calls", 100);
    private static final int CALLERS = 4;

    private final LeakCheck residue = LeakCheck.now();

    /** What there is of us, the common session and two processes that stand ready included. */
    private record Use(long children, long files, long threads) {

        private static Use now() {
            try (var files = Files.list(Path.of("/proc/self/fd"))) {
                return new Use(
                        ProcessHandle.current().children().count(),
                        files.count(),
                        Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> thread.getName().contains("stdio"))
                                .count());
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }

        /** Whether there are so many, all of them with their threads: one for each stream. */
        private boolean isOfChildren(int count) {
            return children == count && threads == 3L * count;
        }

        private boolean isNoMoreThan(Use other) {
            return children <= other.children && files <= other.files && threads <= other.threads;
        }
    }

    @Test
    @Timeout(120)
    @DisplayName("C3: no zombie, no orphan, IPC closed")
    void manyCallsLeakNoResources() throws Exception {
        try (var bench = IsolationBench.of("\"maxMemoryMb\": 0")) {
            bench.list();
            callAll(bench, CALLERS);
            Eventually.holds(
                    () -> "three children, and there is " + Use.now(),
                    () -> Use.now().isOfChildren(3));
            var before = Use.now();

            callAll(bench, CALLS);

            Eventually.holds(
                    () -> Use.now() + " to become " + before, () -> Use.now().isNoMoreThan(before));
        }
        residue.assertNothingLeft();
    }

    private static void callAll(IsolationBench bench, int calls) throws Exception {
        for (int begun = 0; begun < calls; begun += CALLERS) {
            var together = IntStream.range(0, CALLERS)
                    .mapToObj(i -> bench.begin("count"))
                    .toList();
            CompletableFuture.allOf(together.toArray(CompletableFuture[]::new)).get();
        }
    }
}
