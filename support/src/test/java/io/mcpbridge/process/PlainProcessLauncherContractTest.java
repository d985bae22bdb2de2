package io.mcpbridge.process;

import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.testkit.contract.ProcessLauncherContract;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class PlainProcessLauncherContractTest extends ProcessLauncherContract {

    @Override
    protected ProcessLauncher open() {
        return new PlainProcessLauncher();
    }
}
