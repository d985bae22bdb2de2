package io.mcpbridge.testkit;

import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.testkit.contract.ProcessLauncherContract;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class PlainProcessLauncherTest extends ProcessLauncherContract {

    @Override
    protected ProcessLauncher open() {
        return new PlainProcessLauncher();
    }
}
