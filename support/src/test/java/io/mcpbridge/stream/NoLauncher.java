package io.mcpbridge.stream;

import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;

/** For tests that start no process. */
final class NoLauncher implements ProcessLauncher {

    @Override
    public ChildProcess launch(LaunchCommand command) {
        throw new UnsupportedOperationException("this test starts no process");
    }

    @Override
    public void close() {}
}
