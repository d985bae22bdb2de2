package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.testkit.contract.ProcessLauncherContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class Level2LauncherTest extends ProcessLauncherContract {

    @BeforeAll
    static void assumeTheLevel() {
        Sandboxes.assume(SandboxLevel.L2);
    }

    @Override
    protected ProcessLauncher open() {
        return Sandboxes.open();
    }

    @Override
    protected LaunchCommand held(LaunchCommand command) {
        return command.requiring(SandboxLevel.L2);
    }
}
