package io.mcpbridge.sandbox.launch;

import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.testkit.contract.ProcessLauncherContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The second way to L2, where {@code unshare} does not work. */
@EnabledOnOs(OS.LINUX)
class BubblewrapLauncherTest extends ProcessLauncherContract {
    private static final CommandWrapper MEANS =
            BubblewrapWrapper.loose(SystemTools.on(System.getenv().getOrDefault("PATH", "")), HostSystem.weAreRoot());

    @BeforeAll
    static void assumeTheMeans() {
        Sandboxes.assume(MEANS);
    }

    @Override
    protected ProcessLauncher open() {
        return new Wrapped(new PlainProcessLauncher());
    }

    private record Wrapped(ProcessLauncher plain) implements ProcessLauncher {

        @Override
        public ChildProcess launch(LaunchCommand command) throws InterruptedException {
            var child = plain.launch(MEANS.wrap(command));
            return new SandboxedProcess(child, SandboxLevel.L2, command.limits(), true);
        }

        @Override
        public SandboxLevel level(LaunchCommand command) {
            return SandboxLevel.L2;
        }

        @Override
        public void close() {
            plain.close();
        }
    }
}
