package io.mcpbridge.engine;

import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;

/** Small stand-ins that every test here may use. */
public final class Fakes {
    /** Starts nothing. */
    public static final ProcessLauncher NO_LAUNCHER = new ProcessLauncher() {
        @Override
        public ChildProcess launch(LaunchCommand command) {
            throw TransportException.initFailed("nothing is started in this test");
        }

        @Override
        public void close() {}
    };

    private Fakes() {}
}
