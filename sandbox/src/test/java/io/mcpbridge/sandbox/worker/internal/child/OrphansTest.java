package io.mcpbridge.sandbox.worker.internal.child;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.sandbox.worker.internal.mark.BareProcesses;
import io.mcpbridge.sandbox.worker.internal.mark.WorkerMark;
import io.mcpbridge.testkit.Eventually;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** How many processes a tool has left, that have lost their parents. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class OrphansTest {
    /** Begins itself again and again. */
    private static final String RESTLESS = "exec sh -c \"$0\" \"$0\"";

    private final Map<String, String> variables = Map.of(WorkerMark.VARIABLE, WorkerMark.freshValue());
    private final WorkerMark mark =
            WorkerMark.of(variables, new BareProcesses()).orElseThrow();

    @AfterEach
    void end() {
        mark.endBearers();
    }

    /** While it begins a program it has no variables, so a single look misses it about every tenth time. */
    @RepeatedTest(20)
    void whoKeepsBeginningProgramsIsCounted() throws Exception {
        var builder = new ProcessBuilder("sh", "-c", "sh -c \"$0\" \"$0\" >/dev/null 2>&1 &", RESTLESS);
        builder.environment().putAll(variables);
        builder.start().waitFor();
        Eventually.holds("the mark", () -> !mark.look().found().isEmpty());

        assertThat(Orphans.amongOthers(Optional.of(mark)).count()).isPositive();
    }
}
