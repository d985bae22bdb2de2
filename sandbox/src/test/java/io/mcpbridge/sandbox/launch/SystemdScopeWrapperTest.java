package io.mcpbridge.sandbox.launch;

import static io.mcpbridge.testkit.contract.LauncherFixture.exitCode;
import static io.mcpbridge.testkit.contract.LauncherFixture.shell;
import static io.mcpbridge.testkit.contract.LauncherFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.ProcessLimits;
import io.mcpbridge.spi.SandboxLevel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What control groups bound; needs those of version 2, and a service manager that makes them. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SystemdScopeWrapperTest {
    private final SandboxLauncher launcher = Sandboxes.open();

    @BeforeAll
    static void assumeControlGroups() {
        Sandboxes.assume(SandboxLevel.L2);
        var tools = SystemTools.on(System.getenv().getOrDefault("PATH", ""));
        Sandboxes.assume(new SystemdScopeWrapper(
                ControlGroupCheck.OF_THE_SYSTEM, tools, CommandWrapper.NONE, HostSystem.weAreRoot(), System.getenv()));
    }

    @AfterEach
    void close() {
        launcher.close();
    }

    @Test
    @DisplayName("E17: a child with too many processes in a control group cannot start more")
    void processesInAControlGroupAreLimited() throws Exception {
        var script = "i=0; while [ $i -lt 100 ]; do sleep 5 & i=$((i+1)); done; echo all";

        var child = launcher.launch(shell(script).within(ProcessLimits.NONE.withProcesses(16)));

        assertThat(text(child.stdout())).doesNotContain("all");
        assertThat(exitCode(child)).isNotZero();
    }

    @Test
    @DisplayName("E17: a tree in a control group gets no more memory than its limit")
    void memoryOfATreeInAControlGroupIsLimited() throws Exception {
        var hog = "(head -c 60000000 /dev/zero; sleep 5) | tail -n 1 >/dev/null & ";

        var child = launcher.launch(shell(hog.repeat(4)
                        + "wait; grep -w oom_kill /sys/fs/cgroup$(sed -n s/^0:://p /proc/self/cgroup)/memory.events")
                .within(ProcessLimits.NONE.withMemoryBytes(128 << 20)));

        assertThat(text(child.stdout())).doesNotContain("oom_kill 0");
    }
}
