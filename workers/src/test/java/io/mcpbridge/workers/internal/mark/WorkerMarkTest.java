package io.mcpbridge.workers.internal.mark;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.workers.internal.mark.WorkerMark.EmptyEnvironments;
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

/** Processes that have the mark of a worker end with it. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class WorkerMarkTest {
    /** Keeps replacing itself by a new program. */
    private static final List<String> REPLACES_ITSELF =
            List.of("sh", "-c", "exec sh -c \"$0\" \"$0\"", "exec sh -c \"$0\" \"$0\"");

    private static final List<String> QUIET = List.of("sleep", "60");

    private final Map<String, String> variables = Map.of(WorkerMark.VARIABLE, WorkerMark.freshValue());
    private final WorkerMark mark =
            WorkerMark.of(variables, new EmptyEnvironments()).orElseThrow();
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
        Eventually.holds("the mark", () -> mark.scan().found().contains(process.toHandle()));
        return process;
    }

    private static boolean hasEnded(Process process) throws InterruptedException {
        return process.waitFor(Eventually.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** While a process begins a program it has no variables, so a single scan misses this one about every tenth time. */
    @RepeatedTest(20)
    void processThatKeepsExecutingProgramsIsKilled() throws Exception {
        var replacing = startMarked(REPLACES_ITSELF);

        mark.killAll();

        assertThat(hasEnded(replacing)).isTrue();
    }

    @Test
    void interruptDoesNotStopTheSweepAndIsKept() throws Exception {
        var replacing = startMarked(REPLACES_ITSELF);

        Thread.currentThread().interrupt();
        mark.killAll();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(hasEnded(replacing)).isTrue();
    }

    @Test
    void processWithAnotherMarkIsLeftAlone() throws Exception {
        var ours = startMarked(QUIET);
        var other = start(QUIET, Map.of(WorkerMark.VARIABLE, WorkerMark.freshValue()));

        mark.killAll();

        assertThat(hasEnded(ours)).isTrue();
        assertThat(other.isAlive()).isTrue();
    }

    @Test
    void processWithoutVariablesIsLeftAloneAndDelaysNoSweep() throws Exception {
        var bare = startWithoutVariables();
        var ours = startMarked(QUIET);

        mark.killAll();

        assertThat(hasEnded(ours)).isTrue();
        assertThat(bare.isAlive()).isTrue();
    }

    @Test
    void scanIsIncompleteUntilAProcessWithoutVariablesIsKnown() throws Exception {
        startWithoutVariables();
        Eventually.holds("it to be known", () -> mark.scan().isComplete());

        startWithoutVariables();

        assertThat(mark.scan().isComplete()).isFalse();
        Eventually.holds("the other to be known", () -> mark.scan().isComplete());
    }

    private Process startWithoutVariables() throws IOException {
        var builder = new ProcessBuilder(QUIET);
        builder.environment().clear();
        var bare = builder.start();
        started.add(bare);
        Eventually.holds("its program to begin", () -> bare.info().arguments().isPresent());
        return bare;
    }
}
