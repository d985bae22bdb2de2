package io.mcpbridge.sandbox.launch;

import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.testkit.contract.ProcessLauncherContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The second way to L2, where {@code unshare} does not work. */
@EnabledOnOs(OS.LINUX)
class BubblewrapLauncherTest extends ProcessLauncherContract {
    private static final Means MEANS =
            Bubblewrap.loose(Tools.on(System.getenv().getOrDefault("PATH", "")), Kernel.weAreRoot());

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
        public ChildProcess launch(Command command) throws InterruptedException {
            var child = plain.launch(MEANS.wrap(command));
            return new HeldChild(child, SandboxLevel.L2, command.limits(), true);
        }

        @Override
        public SandboxLevel level(Command command) {
            return SandboxLevel.L2;
        }

        @Override
        public void close() {
            plain.close();
        }
    }
}
