package io.mcpbridge.sandbox.launch;

import static io.mcpbridge.testkit.contract.LauncherFixture.exitCode;
import static io.mcpbridge.testkit.contract.LauncherFixture.shell;
import static io.mcpbridge.testkit.contract.LauncherFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.ProcessLimits;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The arguments of {@code systemd-run} and the check of its effect, with a folder instead of the system's control
 * groups and a script that writes its arguments there. {@link ScopeTest} has the effect, where there are such groups.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ControlGroupCheckTest {
    private static final ProcessLimits BOTH =
            ProcessLimits.NONE.withMemoryBytes(128 << 20).withProcesses(8);
    private static final String OF_THIS = "$(sed -n s/^0:://p /proc/self/cgroup)";

    @TempDir
    Path groups;

    @TempDir
    Path tools;

    @BeforeAll
    static void assumeTheLevels() {
        Sandboxes.assume(SandboxLevel.L2);
    }

    private SandboxLauncher open() {
        var variables = Map.of("PATH", tools + ":" + System.getenv().getOrDefault("PATH", "/usr/bin:/bin"));
        return SandboxLauncher.open(
                Settings.of(Map.of()), PlainProcessLauncher.apart(), variables, new ControlGroupCheck(groups));
    }

    private void controllers(String names) throws IOException {
        Files.writeString(groups.resolve("cgroup.controllers"), names + "\n");
    }

    /** One that knows these properties, by their names and those of the files that they are written to. */
    private void manager(Map<String, String> files) throws IOException {
        var cases = new StringBuilder();
        files.forEach((property, file) ->
                cases.append("%s=*) echo \"${2#*=}\" > \"$group/%s\";; ".formatted(property, file)));
        Sandboxes.script(tools.resolve("systemd-run"), """
            echo "$@" >> %1$s/asked
            group=%1$s%2$s
            mkdir -p "$group"
            while [ "$1" != -- ]; do
                if [ "$1" = -p ]; then case "$2" in %3$s esac; shift; fi
                shift
            done
            shift
            exec "$@"
            """.formatted(groups, OF_THIS, cases));
    }

    private void managerOfAllLimits() throws IOException {
        manager(Map.of("MemoryMax", "memory.max", "MemorySwapMax", "memory.swap.max", "TasksMax", "pids.max"));
    }

    private ChildProcess launchInGroup(SandboxLauncher launcher, SandboxLevel level) throws Exception {
        var script = "cd %s%s && cat memory.max memory.swap.max pids.max".formatted(groups, OF_THIS);
        return launcher.launch(shell(script).within(BOTH).requiring(level));
    }

    @Test
    @DisplayName("E17: memory, swap and processes of a child are bounded by its own control group")
    void limitsOfAChildAreThoseOfItsControlGroup() throws Exception {
        controllers("cpu io memory pids");
        managerOfAllLimits();
        try (var launcher = open()) {
            var child = launchInGroup(launcher, SandboxLevel.L2);

            // Two of the processes are those that make the namespace.
            assertThat(text(child.stdout())).isEqualTo("134217728\n0\n10\n");
            assertThat(exitCode(child)).isZero();
        }
    }

    @Test
    void controlGroupIsCollectedWhenTheChildEnds() throws Exception {
        controllers("memory pids");
        managerOfAllLimits();
        try (var launcher = open()) {
            assertThat(exitCode(launchInGroup(launcher, SandboxLevel.L2))).isZero();
        }

        assertThat(Files.readAllLines(groups.resolve("asked")))
                .isNotEmpty()
                .allMatch(words -> words.contains("--scope --quiet --collect "));
    }

    @Test
    @DisplayName("E18: a limit that the manager does not write is enforced otherwise")
    void limitThatIsNotWrittenIsEnforcedOtherwise() throws Exception {
        controllers("memory pids");
        manager(Map.of("TasksMax", "pids.max"));
        try (var launcher = open()) {
            assertHeldWithoutAGroup(launcher);
        }
    }

    @Test
    @DisplayName("E18: without a controller no group is requested, and the limit is enforced otherwise")
    void limitWithoutAControllerIsEnforcedOtherwise() throws Exception {
        controllers("cpu memory");
        managerOfAllLimits();
        try (var launcher = open()) {
            assertHeldWithoutAGroup(launcher);
        }
        assertThat(groups.resolve("asked")).doesNotExist();
    }

    private static void assertHeldWithoutAGroup(SandboxLauncher launcher) throws Exception {
        var script = "i=0; while [ $i -lt 40 ]; do sleep 100 & i=$((i+1)); done; wait";

        var child = launcher.launch(shell(script).within(BOTH));

        assertThat(exitCode(child)).isEqualTo(137);
        assertThat(text(child.stderr())).contains("processes; 'max-processes' is 8");
    }

    @Test
    void missingControllersAreReported() throws Exception {
        var there = new ControlGroupCheck(groups);

        assertThat(there.missing()).hasValue("there is no unified control group hierarchy at " + groups);
        controllers("cpuset memory");
        assertThat(there.missing()).hasValue("the control groups at " + groups + " have no controller 'pids'");
        controllers("pids memory");
        assertThat(there.missing()).isEmpty();
    }
}
