package io.mcpbridge.sandbox.launch;

import static io.mcpbridge.testkit.contract.LauncherFixture.command;
import static io.mcpbridge.testkit.contract.LauncherFixture.exitCode;
import static io.mcpbridge.testkit.contract.LauncherFixture.lines;
import static io.mcpbridge.testkit.contract.LauncherFixture.processesWith;
import static io.mcpbridge.testkit.contract.LauncherFixture.shell;
import static io.mcpbridge.testkit.contract.LauncherFixture.text;
import static io.mcpbridge.testkit.contract.LauncherFixture.unusedSeconds;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.ProcessLimits;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** E17: what children do that use more than they may. Beside each of them a sibling keeps running. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class EnforcedLimitsTest {
    private static final long MIB = 1 << 20;

    @TempDir
    Path tools;

    private SandboxLauncher launcher;
    private ChildProcess sibling;

    @BeforeAll
    static void assumeTheLevels() {
        Sandboxes.assume(SandboxLevel.L1);
        Sandboxes.assume(SandboxLevel.L2);
    }

    @BeforeEach
    void startASibling() throws Exception {
        launcher = Sandboxes.withoutScopes(tools);
        sibling = launcher.launch(command("cat"));
    }

    @AfterEach
    void endAll() throws Exception {
        sibling.stdin().write("alive\n".getBytes(UTF_8));
        assertThat(lines(sibling).readLine()).isEqualTo("alive");
        launcher.close();
    }

    @Test
    void openFilesAreLimited() throws Exception {
        var script = "exec 3</dev/null 4</dev/null 5</dev/null 6</dev/null 7</dev/null; exec cat /dev/null";

        var bounded = launcher.launch(shell(script).within(ProcessLimits.NONE.withOpenFiles(8)));
        var unbounded = launcher.launch(shell(script));

        assertThat(exitCode(bounded)).isNotZero();
        assertThat(exitCode(unbounded)).isZero();
    }

    @Test
    @DisplayName("E17: a file grows to its limit and no further")
    void fileSizeIsLimited(@TempDir Path folder) throws Exception {
        var limits = ProcessLimits.NONE.withFileSizeBytes(MIB);

        var child = launcher.launch(
                shell("exec head -c 5000000 /dev/zero > big").inFolder(folder).within(limits));

        assertThat(exitCode(child)).isEqualTo(128 + 25);
        assertThat(Files.size(folder.resolve("big"))).isEqualTo(MIB);
    }

    @ParameterizedTest
    @EnumSource(
            value = SandboxLevel.class,
            names = {"L1", "L2"})
    @DisplayName("E17: a child that uses too much CPU time is ended, with the reason")
    void cpuTimeIsLimited(SandboxLevel level) throws Exception {
        var limits = ProcessLimits.NONE.withCpuTime(Duration.ofMillis(500));

        var child = launcher.launch(shell("while :; do :; done").within(limits).requiring(level));

        assertThat(exitCode(child)).isEqualTo(137);
        assertThat(text(child.stderr()))
                .contains("[mcp-bridge] ended by the sandbox: it used more than 500 ms of CPU time ('max-cpu')");
    }

    @Test
    @DisplayName("E17: a memory hog gets no more than its limit")
    void memoryOfAProcessIsLimited() throws Exception {
        var child = launcher.launch(command("tail", "/dev/zero").within(ProcessLimits.NONE.withMemoryBytes(64 * MIB)));

        assertThat(exitCode(child)).isNotZero();
        assertThat(text(child.stderr())).containsAnyOf("memory exhausted", "'max-memory' is 64 MiB");
    }

    @Test
    @DisplayName("E17: many processes together get no more memory than one")
    void memoryOfATreeIsLimited() throws Exception {
        var hog = "(head -c 60000000 /dev/zero; sleep 100) | tail -n 1 & ";

        var child =
                launcher.launch(shell(hog.repeat(4) + "wait").within(ProcessLimits.NONE.withMemoryBytes(128 * MIB)));

        assertThat(exitCode(child)).isEqualTo(137);
        assertThat(text(child.stderr())).contains("[mcp-bridge] ended by the sandbox: it used", "is 128 MiB");
    }

    @Test
    @DisplayName("E17: a child that starts too many processes ends with all of them, orphans too")
    void childWithTooManyProcessesEndsWithAllOfThem() throws Exception {
        var word = unusedSeconds();
        var script = "i=0; while [ $i -lt 400 ]; do (sleep $1 &) ; i=$((i+1)); done; wait; sleep $1";

        var child = launcher.launch(shell(script, word).within(ProcessLimits.NONE.withProcesses(32)));

        assertThat(exitCode(child)).isEqualTo(137);
        assertThat(text(child.stderr())).contains("processes; 'max-processes' is 32");
        Eventually.holds("the end of what it started", () -> processesWith(word).isEmpty());
    }

    @Test
    @DisplayName("a Java virtual machine starts within a memory limit, since the address space is not limited")
    void javaVirtualMachineStartsWithinAMemoryLimit() throws Exception {
        var java = ProcessHandle.current().info().command().orElse("java");
        var limits = ProcessLimits.NONE.withMemoryBytes(256 * MIB);

        var child = launcher.launch(command(java, "-Xmx64m", "-version").within(limits));
        var bounds = launcher.launch(shell("ulimit -v").within(limits));

        assertThat(exitCode(child)).isZero();
        assertThat(text(bounds.stdout())).isEqualTo("unlimited\n");
    }
}
