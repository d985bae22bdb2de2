package io.mcpbridge.sandbox.orphans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
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
    private static final Survivors EXPECTED = Survivors.of("""
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
            """);

    private static final Survivors SEEN = EXPECTED.empty();
    private static final Map<End, Map<SandboxLevel, Map<String, Integer>>> OUTCOMES = new EnumMap<>(End.class);
    private static List<SandboxLevel> levels = List.of();

    /** What happens to a child, or to the program that has started it. */
    enum End {
        /** The child is ended in good order. */
        NORMAL_END,
        /** The launcher is closed. */
        CLOSE,
        /** A call took too long, so its child is ended at once. */
        TIME_OUT,
        /** The child ends itself, and whoever has it ends what is left. */
        HALT,
        /** The thread that asked for it ends, which it survives; the launcher is closed later. */
        THREAD_ENDS,
        /** The parent is told to end. */
        SIGTERM,
        /** The parent is killed. */
        SIGKILL,
        /** The parent has no memory any more, and ends at once. */
        OUT_OF_MEMORY
    }

    static Stream<Arguments> cells() {
        return Stream.of(End.values())
                .flatMap(end -> Stream.of(SandboxLevel.values())
                        .map(level -> Arguments.argumentSet(end + " at " + level, end, level)));
    }

    @BeforeAll
    static void findLevels() {
        try (var households = new Households()) {
            levels = households.levels();
        }
    }

    @AfterAll
    static void write() throws IOException {
        SEEN.write("orphans.txt");
    }

    @ParameterizedTest
    @MethodSource("cells")
    @DisplayName("E6 to E9: nobody is left but those who are known to escape")
    void nobodyIsLeftButThoseWhoAreKnownToEscape(End end, SandboxLevel level) throws Exception {
        assumeTrue(levels.contains(level), () -> level + " is not to be had here");
        if (!OUTCOMES.containsKey(end)) {
            OUTCOMES.put(end, outcome(end));
        }

        assertThat(OUTCOMES.get(end).getOrDefault(level, Map.of())).isEqualTo(EXPECTED.get(end, level));
    }

    /** Ends everybody at all levels together, which is quicker than one after the other. */
    private static Map<SandboxLevel, Map<String, Integer>> outcome(End end) throws Exception {
        var marks = Marks.fresh();
        try {
            bringAbout(end, marks);
            awaitExpected(end, marks);
            Eventually.holds(() -> "no zombies but " + Marks.zombies(), () -> Marks.zombies().isEmpty());
            var counts = marks.counts();
            levels.forEach(level -> SEEN.put(end, level, counts.getOrDefault(level, Map.of())));
            return counts;
        } finally {
            marks.killAll();
        }
    }

    private static void awaitExpected(End end, Marks marks) {
        try {
            Eventually.holds("those who are expected", () -> isAsExpected(end, marks));
        } catch (AssertionError others) {
            // The comparison of each level tells more.
        }
    }

    private static boolean isAsExpected(End end, Marks marks) {
        var counts = marks.counts();
        return levels.stream()
                .allMatch(level -> counts.getOrDefault(level, Map.of()).equals(EXPECTED.get(end, level)));
    }

    private static void bringAbout(End end, Marks marks) throws Exception {
        switch (end) {
            case SIGTERM, SIGKILL, OUT_OF_MEMORY -> endParent(end, marks);
            default -> {
                try (var households = new Households()) {
                    endChildren(end, households, marks);
                }
            }
        }
    }

    private static void endParent(End end, Marks marks) throws Exception {
        var arguments = Stream.concat(Stream.of(marks.run()), levels.stream().map(SandboxLevel::name))
                .toList();
        try (var parent = Parent.start(List.of(), ParentProgram.class, arguments)) {
            assertThat(marks.counts().keySet()).containsExactlyElementsOf(levels);
            var code =
                    switch (end) {
                        case SIGTERM -> parent.terminate();
                        case SIGKILL -> parent.kill();
                        default -> parent.endInput();
                    };
            assertThat(code).isEqualTo(end == End.SIGTERM ? 143 : end == End.SIGKILL ? 137 : 3);
        }
    }

    private static void endChildren(End end, Households households, Marks marks) throws Exception {
        if (end == End.THREAD_ENDS) {
            startOnAThread(households, marks);
        } else {
            households.start(levels, marks);
        }
        switch (end) {
            case NORMAL_END -> together(households, child -> child.end(Duration.ofMillis(300)));
            case TIME_OUT -> together(households, child -> child.end(Duration.ZERO));
            case HALT -> together(households, OrphanMatrixTest::halt);
            default -> households.close();
        }
    }

    private static void halt(ChildProcess child) {
        ProcessHandle.of(child.pid()).ifPresent(ProcessHandle::destroyForcibly);
        assertThat(child.onExit().toCompletableFuture().join()).isEqualTo(137);
        child.end(Duration.ZERO);
    }

    private static void together(Households households, Consumer<ChildProcess> ending) throws Exception {
        var endings = households.children().stream()
                .map(child -> CompletableFuture.runAsync(() -> ending.accept(child), task -> new Thread(task).start()))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(endings).get(30, TimeUnit.SECONDS);
    }

    /** E9: they live on, whatever thread has asked for them. */
    private static void startOnAThread(Households households, Marks marks) throws Exception {
        var counted = new CompletableFuture<Map<SandboxLevel, Map<String, Integer>>>();
        var thread = new Thread(() -> {
            try {
                households.start(levels, marks);
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
