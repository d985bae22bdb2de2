package io.mcpbridge.sandbox.worker.internal.mark;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Who has the mark of a worker ends with it. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class WorkerMarkTest {
    /** Begins itself again and again, until nobody wants it any more. */
    private static final List<String> RESTLESS =
            List.of("sh", "-c", "exec sh -c \"$0\" \"$0\"", "exec sh -c \"$0\" \"$0\"");

    private static final List<String> QUIET = List.of("sleep", "60");

    private final Map<String, String> variables = Map.of(WorkerMark.VARIABLE, WorkerMark.freshValue());
    private final WorkerMark mark =
            WorkerMark.of(variables, new BareProcesses()).orElseThrow();
    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    private Process start(List<String> command, Map<String, String> environment) throws IOException {
        var builder = new ProcessBuilder(command);
        builder.environment().keySet().retainAll(List.of("PATH"));
        builder.environment().putAll(environment);
        var process = builder.start();
        started.add(process);
        return process;
    }

    private Process startMarked(List<String> command) throws IOException {
        var process = start(command, variables);
        Eventually.holds("the mark", () -> mark.look().found().contains(process.toHandle()));
        return process;
    }

    private static boolean hasEnded(Process process) throws InterruptedException {
        return process.waitFor(Eventually.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** While a process begins a program it has no variables, so a single look misses this one about every tenth time. */
    @RepeatedTest(20)
    void processThatKeepsBeginningProgramsEnds() throws Exception {
        var restless = startMarked(RESTLESS);

        mark.endBearers();

        assertThat(hasEnded(restless)).isTrue();
    }

    @Test
    void interruptedSweepGoesOnAndKeepsTheInterrupt() throws Exception {
        var restless = startMarked(RESTLESS);

        Thread.currentThread().interrupt();
        mark.endBearers();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(hasEnded(restless)).isTrue();
    }

    @Test
    void processOfAnotherMarkIsLeftAlone() throws Exception {
        var ours = startMarked(QUIET);
        var other = start(QUIET, Map.of(WorkerMark.VARIABLE, WorkerMark.freshValue()));

        mark.endBearers();

        assertThat(hasEnded(ours)).isTrue();
        assertThat(other.isAlive()).isTrue();
    }

    @Test
    void processWithoutVariablesIsLeftAloneAndHoldsUpNoSweep() throws Exception {
        var bare = startBare();
        var ours = startMarked(QUIET);

        mark.endBearers();

        assertThat(hasEnded(ours)).isTrue();
        assertThat(bare.isAlive()).isTrue();
    }

    @Test
    void processWithoutVariablesIsADoubtUntilItIsKnown() throws Exception {
        startBare();
        Eventually.holds("it to be known", () -> mark.look().isSure());

        startBare();

        assertThat(mark.look().isSure()).isFalse();
        Eventually.holds("the other to be known", () -> mark.look().isSure());
    }

    private Process startBare() throws IOException {
        var builder = new ProcessBuilder(QUIET);
        builder.environment().clear();
        var bare = builder.start();
        started.add(bare);
        Eventually.holds("its program to begin", () -> bare.info().arguments().isPresent());
        return bare;
    }
}
