package io.mcpbridge.orphans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.sandbox.launch.SandboxLauncher;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Children are started and killed again and again, and nothing grows: open files, threads, processes, zombies. The system
 * property {@code mcp-bridge.start-cycles} says how often, 40 times unless it is set.
 */
@EnabledOnOs(OS.LINUX)
class StartCyclesTest {
    private static final int CYCLES = Integer.getInteger("mcp-bridge.start-cycles", 40);
    private static final int FIRST = 10;
    private static final String SCRIPT = "trap '' TERM; sleep 1000 & echo ready; exec sleep 1000";

    private final Marks marks = Marks.fresh();

    /** Who starts them. */
    enum Starter {
        PLAIN,
        L1,
        L2,
        L3;

        private SandboxLevel level() {
            return this == PLAIN ? SandboxLevel.L0 : SandboxLevel.valueOf(name());
        }

        private ProcessLauncher open() {
            var plain = new PlainProcessLauncher();
            return this == PLAIN ? plain : SandboxLauncher.open(Settings.of(Map.of()), plain, System.getenv());
        }
    }

    /** What there is of this program. */
    private record Use(long files, long threads, long children, long marked) {

        private static Use now(Marks marks) {
            try (var files = Files.list(Path.of("/proc/self/fd"))) {
                return new Use(
                        files.count(),
                        threadsOfOurs(),
                        ProcessHandle.current().children().count(),
                        marks.counts().size());
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }

        /**
         * Those that wait for the ends of children are kept by the JDK for a while, as many as there are children; those
         * on which it says so come and go as it likes.
         */
        private static long threadsOfOurs() {
            return Thread.getAllStackTraces().keySet().stream()
                    .map(Thread::getName)
                    .filter(name -> !name.startsWith("process reaper"))
                    .filter(name -> !name.startsWith("ForkJoinPool.commonPool"))
                    .count();
        }

        private boolean isNoMoreThan(Use other) {
            return files <= other.files && threads <= other.threads && children <= other.children && marked == 0;
        }
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 300, unit = TimeUnit.SECONDS)
    @DisplayName("E7: start and kill cycles leak nothing")
    void startAndKillCyclesLeakNothing(Starter starter) throws Exception {
        try (var launcher = starter.open()) {
            var missing = launcher.missing(starter.level());
            assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
            startAndKill(launcher, starter.level(), FIRST);
            var before = Use.now(marks);
            var begun = System.nanoTime();

            startAndKill(launcher, starter.level(), CYCLES);

            var millis = (System.nanoTime() - begun) / 1_000_000;
            Eventually.holds(
                    () -> Use.now(marks) + " to become " + before,
                    () -> Use.now(marks).isNoMoreThan(before));
            assertThat(Marks.zombies()).isEmpty();
            System.out.printf("%s: %d cycles in %d ms; %s%n", starter, CYCLES, millis, Use.now(marks));
        } finally {
            marks.killAll();
        }
    }

    private void startAndKill(ProcessLauncher launcher, SandboxLevel level, int times) throws Exception {
        var variables =
                Map.of("PATH", System.getenv().getOrDefault("PATH", ""), Marks.NAME, marks.mark(level, "CYCLES"));
        var command = LaunchCommand.of(List.of("sh", "-c", SCRIPT), variables).requiring(level);
        for (int i = 0; i < times; i++) {
            var child = launcher.launch(command);
            assertThat(child.stdout().read()).isEqualTo('r');
            child.end(Duration.ZERO);
            assertThat(child.onExit().toCompletableFuture()).isCompletedWithValue(137);
        }
    }
}
