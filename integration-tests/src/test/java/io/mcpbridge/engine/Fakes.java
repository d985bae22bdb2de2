package io.mcpbridge.engine;

import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.ProcessLauncher;

/** Small stand-ins that every test here may use. */
final class Fakes {
    /** Starts nothing. */
    static final ProcessLauncher NO_LAUNCHER = new ProcessLauncher() {
        @Override
        public ChildProcess launch(Command command) {
            throw TransportException.initFailed("nothing is started in this test");
        }

        @Override
        public void close() {}
    };

    private Fakes() {}
}
