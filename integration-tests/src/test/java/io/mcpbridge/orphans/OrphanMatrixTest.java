package io.mcpbridge.orphans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.SandboxLevel;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** E6 to E9: who survives which end of a child or of its parent; children that are hard to end, at all levels. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OrphanMatrixTest {
    /** Where there are any, the level does not promise otherwise: they are the escapes that are known. */
    private static final SurvivalMatrix MATRIX = new SurvivalMatrix("""
        end           level  IGNORES_TERM STOPPED CLOSES_STDIN FORKS FORKS_TWICE COMPUTES FLOODS_STDERR
        NORMAL_END    L0-L1             0       0            0     0           1        0             0
        NORMAL_END    L2-L3             0       0            0     0           0        0             0
        CLOSE         L0-L1             0       0            0     0           1        0             0
        CLOSE         L2-L3             0       0            0     0           0        0             0
        TIME_OUT      L0-L1             0       0            0     0           1        0             0
        TIME_OUT      L2-L3             0       0            0     0           0        0             0
        HALT          L0-L1             0       0            0     0           1        0             0
        HALT          L2-L3             0       0            0     0           0        0             0
        THREAD_ENDS   L0-L1             0       0            0     0           1        0             0
        THREAD_ENDS   L2-L3             0       0            0     0           0        0             0
        SIGTERM       L0-L1             0       0            0     0           1        0             0
        SIGTERM       L2-L3             0       0            0     0           0        0             0
        SIGKILL       L0                1       1            1     3           2        1             0
        SIGKILL       L1                0       0            0     2           1        0             0
        SIGKILL       L2-L3             0       0            0     0           0        0             0
        OUT_OF_MEMORY L0                1       1            1     3           2        1             0
        OUT_OF_MEMORY L1                0       0            0     2           1        0             0
        OUT_OF_MEMORY L2-L3             0       0            0     0           0        0             0
        """, StubbornChildren.available());

    /** What happens to a child, or to the program that has started it. */
    enum End {
        /** The child is ended in good order. */
        NORMAL_END,
        /** The launcher is closed. */
        CLOSE,
        /** A call took too long, so its child is ended at once. */
        TIME_OUT,
        /** The child ends itself, and its owner ends what is left. */
        HALT,
        /** The thread that started it ends, which it survives; the launcher is closed later. */
        THREAD_ENDS,
        /** The parent gets TERM. */
        SIGTERM,
        /** The parent is killed. */
        SIGKILL,
        /** The parent has no memory any more, and ends at once. */
        OUT_OF_MEMORY
    }

    static Stream<Arguments> cells() {
        return SurvivalMatrix.cells((Object[]) End.values());
    }

    @AfterAll
    static void write() throws IOException {
        MATRIX.write("orphans.txt");
    }

    @ParameterizedTest
    @MethodSource("cells")
    @DisplayName("E6 to E9: no process is left except those known to escape")
    void noProcessIsLeftExceptThoseKnownToEscape(End end, SandboxLevel level) throws Exception {
        assumeTrue(MATRIX.has(level), () -> level + " is not available here");

        var survivors = MATRIX.seen(end, level, (marks, levels) -> switch (end) {
            case SIGTERM, SIGKILL, OUT_OF_MEMORY -> endParent(end, marks, levels);
            default -> endChildren(end, marks, levels);
        });

        assertThat(survivors).isEqualTo(MATRIX.expected(end, level));
    }

    private static AutoCloseable endParent(End end, Marks marks, List<SandboxLevel> levels) throws Exception {
        var parent = Parent.start(ParentProgram.class, marks, levels);
        try {
            assertThat(marks.counts()).containsOnlyKeys(levels);
            switch (end) {
                case SIGTERM -> assertThat(parent.terminate()).isEqualTo(143);
                case SIGKILL -> assertThat(parent.kill()).isEqualTo(137);
                default -> assertThat(parent.endInput()).isEqualTo(3);
            }
            return parent;
        } catch (AssertionError | Exception failed) {
            // It has no mark of its own by which it would be found.
            parent.close();
            throw failed;
        }
    }

    private static AutoCloseable endChildren(End end, Marks marks, List<SandboxLevel> levels) throws Exception {
        var children = new StubbornChildren();
        if (end == End.THREAD_ENDS) {
            startOnAThread(children, marks, levels);
        } else {
            children.start(levels, marks);
        }
        switch (end) {
            case NORMAL_END -> endConcurrently(children, child -> child.end(Duration.ofMillis(300)));
            case TIME_OUT -> endConcurrently(children, child -> child.end(Duration.ZERO));
            case HALT -> endConcurrently(children, OrphanMatrixTest::halt);
            default -> children.close();
        }
        return children;
    }

    private static void halt(ChildProcess child) {
        ProcessHandle.of(child.pid()).ifPresent(ProcessHandle::destroyForcibly);
        assertThat(child.onExit().toCompletableFuture().join()).isEqualTo(137);
        child.end(Duration.ZERO);
    }

    private static void endConcurrently(StubbornChildren children, Consumer<ChildProcess> ending) throws Exception {
        var endings = children.children().stream()
                .map(child -> CompletableFuture.runAsync(() -> ending.accept(child), task -> new Thread(task).start()))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(endings).get(30, TimeUnit.SECONDS);
    }

    /** E9: they survive the thread that started them. */
    private static void startOnAThread(StubbornChildren children, Marks marks, List<SandboxLevel> levels)
            throws Exception {
        var counted = new CompletableFuture<Map<SandboxLevel, Map<String, Integer>>>();
        var thread = new Thread(() -> {
            try {
                children.start(levels, marks);
                counted.complete(marks.counts());
            } catch (IOException | InterruptedException | RuntimeException failed) {
                counted.completeExceptionally(failed);
            }
        });
        thread.start();
        thread.join();
        assertThat(marks.counts()).isEqualTo(counted.get(30, TimeUnit.SECONDS));
    }
}
