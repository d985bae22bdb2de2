package io.mcpbridge.transport.unix;

import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** An environment for one test, with a real clock that ends with it. */
final class TestEnvironment implements AfterEachCallback {
    private final SystemTimekeeper clock = new SystemTimekeeper();
    private final RecordingLogger logger = new RecordingLogger();

    TestEnvironment() {
        // The clock's thread starts with its first alarm; here it belongs to the test, not to what is tested.
        clock.schedule(Duration.ZERO, () -> {});
    }

    Environment get() {
        return with(clock);
    }

    Environment with(Timekeeper timekeeper) {
        return Environment.of(timekeeper, Runnable::run, new NoLauncher()).withLogger(logger);
    }

    SystemTimekeeper clock() {
        return clock;
    }

    /** What was logged at WARNING and above. */
    List<String> logged() {
        return logger.lines();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        clock.close();
    }

    private static final class NoLauncher implements ProcessLauncher {

        @Override
        public ChildProcess launch(LaunchCommand command) {
            throw new UnsupportedOperationException("these tests start no process");
        }

        @Override
        public void close() {}
    }
}
