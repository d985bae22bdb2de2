package io.mcpbridge.orphans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.spi.SandboxLevel;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Who survives which end of a worker, or of the program that has it: the worker, and what its tool has started. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class WorkerOrphansTest {
    /** Where there are any, the level does not promise otherwise: they are the escapes that are known. */
    private static final SurvivalMatrix MATRIX = new SurvivalMatrix("""
        end           level WORKER SLEEPS IGNORES_TERM STOPPED CLOSES_STDIN FORKS FORKS_TWICE COMPUTES FLOODS_STDERR
        NORMAL_END    L0-L3      0      0            0       0            0     0           0        0             0
        CLOSE         L0-L3      0      0            0       0            0     0           0        0             0
        TIME_OUT      L0-L3      0      0            0       0            0     0           0        0             0
        HALT          L0-L3      0      0            0       0            0     0           0        0             0
        OUT_OF_MEMORY L0-L3      0      0            0       0            0     0           0        0             0
        SIGTERM       L0-L3      0      0            0       0            0     0           0        0             0
        SIGKILL       L0         0      0            0       0            0     0           0        0             0
        SIGKILL       L1         0      1            1       1            1     3           2        1             0
        SIGKILL       L2-L3      0      0            0       0            0     0           0        0             0
        """, StubbornChildren.available());

    /** What happens to a worker in the middle of a call or at its end, or to the program. */
    enum End {
        NORMAL_END,
        TIME_OUT,
        HALT,
        OUT_OF_MEMORY,
        CLOSE,
        SIGTERM,
        SIGKILL
    }

    static Stream<Arguments> cells() {
        return SurvivalMatrix.cells((Object[]) End.values());
    }

    @AfterAll
    static void write() throws IOException {
        MATRIX.write("orphans-of-workers.txt");
    }

    @ParameterizedTest
    @MethodSource("cells")
    void e8NoProcessIsLeftExceptThoseKnownToEscape(End end, SandboxLevel level) throws Exception {
        assumeTrue(MATRIX.has(level), () -> level + " is not available here");

        var survivors = MATRIX.seen(end, level, (marks, levels) -> switch (end) {
            case SIGTERM, SIGKILL -> endProgram(end, marks, levels);
            default -> endWorkers(end, marks, levels);
        });

        assertThat(survivors).isEqualTo(MATRIX.expected(end, level));
    }

    private static AutoCloseable endWorkers(End end, Marks marks, List<SandboxLevel> levels) throws Exception {
        var pools = new WorkerPools(levels, marks);
        if (end == End.CLOSE) {
            pools.begin();
            pools.close();
        } else {
            pools.call(end.name());
        }
        return pools;
    }

    private static AutoCloseable endProgram(End end, Marks marks, List<SandboxLevel> levels) throws Exception {
        var program = Parent.start(WorkerPoolProgram.class, marks, levels);
        try {
            if (end == End.SIGTERM) {
                assertThat(program.terminate()).isEqualTo(143);
            } else {
                assertThat(program.kill()).isEqualTo(137);
            }
            return program;
        } catch (AssertionError | Exception failed) {
            program.close();
            throw failed;
        }
    }
}
