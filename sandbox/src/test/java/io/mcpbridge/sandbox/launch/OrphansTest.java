package io.mcpbridge.sandbox.launch;

import static io.mcpbridge.testkit.contract.LaunchedCommands.processesWith;
import static io.mcpbridge.testkit.contract.LaunchedCommands.unusedSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.testkit.Eventually;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** E8: who survives when a program that started children is killed. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OrphansTest {
    private static final String FAMILY =
            "trap '' TERM; (setsid sleep $1 >/dev/null 2>&1 &); sleep $1 & echo ready; sleep $1; exit 0";

    private static final List<String> AS_NOBODY =
            List.of("/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

    private final List<Process> parents = new ArrayList<>();
    private final String word = unusedSeconds();

    @AfterEach
    void endAll() {
        parents.forEach(Process::destroyForcibly);
        processesWith(word).forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }

    @Test
    @DisplayName("E8: at L2 nobody survives, not even who forked twice and has a session of its own")
    void nobodySurvivesAtL2() throws Exception {
        Sandboxes.assume(SandboxLevel.L2);
        var parent = start(List.of(), SandboxLevel.L2);
        assertThat(processesWith(word)).hasSizeGreaterThanOrEqualTo(3);

        parent.destroyForcibly();

        assertNobodyIsLeft();
    }

    @Test
    @DisplayName("E8: at L3 nobody survives")
    void nobodySurvivesAtL3() throws Exception {
        Sandboxes.assume(SandboxLevel.L3);
        var parent = start(List.of(), SandboxLevel.L3);

        parent.destroyForcibly();

        assertNobodyIsLeft();
    }

    @Test
    @DisplayName("E8: at L2 nobody survives where an ordinary user is the parent")
    void nobodyOfAnOrdinaryUserSurvivesAtL2() throws Exception {
        assumeTrue(Kernel.weAreRoot() && Files.isExecutable(Path.of("/usr/bin/setpriv")), "needs root and setpriv");
        assumeTrue(canBeReadByAll(), "needs a class path that every user can read");
        var parent = start(AS_NOBODY, SandboxLevel.L2);

        parent.destroyForcibly();

        assertNobodyIsLeft();
    }

    @Test
    @DisplayName("E8: at L1 the child is gone; what it started may live on, as is known")
    void theChildIsGoneAtL1() throws Exception {
        Sandboxes.assume(SandboxLevel.L1);
        var parent = start(List.of(), SandboxLevel.L1);
        var child = parent.children().findFirst().orElseThrow();

        parent.destroyForcibly();

        Eventually.holds("the child to be gone", () -> !child.isAlive());
        assertThat(processesWith(word)).isNotEmpty();
    }

    private void assertNobodyIsLeft() {
        Eventually.holds(
                Duration.ofSeconds(10),
                () -> "nobody, but there are " + processesWith(word),
                () -> processesWith(word).isEmpty());
    }

    private Process start(List<String> before, SandboxLevel level) throws Exception {
        var words = new ArrayList<>(before);
        words.add(ProcessHandle.current().info().command().orElse("java"));
        words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m", "-cp"));
        words.add(System.getProperty("java.class.path"));
        words.addAll(List.of(LaunchingProgram.class.getName(), level.name(), FAMILY, word));
        var parent = new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        parents.add(parent);
        var output = new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8));
        assertThat(output.readLine()).isEqualTo("ready");
        return parent;
    }

    private static boolean canBeReadByAll() throws Exception {
        var script = "for each; do test -r \"$each\" || exit 1; done";
        var words = new ArrayList<>(AS_NOBODY);
        words.addAll(List.of("sh", "-c", script, "sh"));
        words.add(ProcessHandle.current().info().command().orElse("java"));
        words.addAll(List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)));
        return new ProcessBuilder(words).start().waitFor() == 0;
    }
}
