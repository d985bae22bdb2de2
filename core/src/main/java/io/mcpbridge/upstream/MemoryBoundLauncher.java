package io.mcpbridge.upstream;

import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.SandboxLevel;
import java.util.Optional;

/**
 * Starts children as another launcher does, each within so much memory. Any thread; closing it ends nothing.
 *
 * @param launcher belongs to somebody else
 * @param memoryBytes at least 1
 */
record MemoryBoundLauncher(ProcessLauncher launcher, long memoryBytes) implements ProcessLauncher {

    @Override
    public ChildProcess launch(Command command) throws InterruptedException {
        return launcher.launch(bound(command));
    }

    @Override
    public SandboxLevel level() {
        return launcher.level();
    }

    @Override
    public SandboxLevel level(Command command) {
        return launcher.level(bound(command));
    }

    @Override
    public Optional<String> remark() {
        return launcher.remark();
    }

    @Override
    public Optional<String> missing(SandboxLevel level) {
        return launcher.missing(level);
    }

    private Command bound(Command command) {
        return command.within(command.limits().withMemoryBytes(memoryBytes));
    }

    @Override
    public void close() {}
}
