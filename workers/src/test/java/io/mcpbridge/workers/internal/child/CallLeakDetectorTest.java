package io.mcpbridge.workers.internal.child;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.workers.internal.mark.WorkerMark;
import io.mcpbridge.workers.internal.mark.WorkerMark.EmptyEnvironments;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** How many orphan processes a tool has left. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class CallLeakDetectorTest {
    /** Keeps replacing itself by a new program. */
    private static final String REPLACES_ITSELF = "exec sh -c \"$0\" \"$0\"";

    private final Map<String, String> variables = Map.of(WorkerMark.VARIABLE, WorkerMark.freshValue());
    private final WorkerMark mark =
            WorkerMark.of(variables, new EmptyEnvironments()).orElseThrow();

    @AfterEach
    void end() {
        mark.killAll();
    }

    /** While it begins a program it has no variables, so a single scan misses it about every tenth time. */
    @RepeatedTest(20)
    void processThatKeepsExecutingProgramsIsCounted() throws Exception {
        var builder = new ProcessBuilder("sh", "-c", "sh -c \"$0\" \"$0\" >/dev/null 2>&1 &", REPLACES_ITSELF);
        builder.environment().putAll(variables);
        builder.start().waitFor();
        Eventually.holds("the mark", () -> !mark.scan().found().isEmpty());

        assertThat(CallLeakDetector.amongOthers(Optional.of(mark)).countProcesses())
                .isPositive();
    }
}
