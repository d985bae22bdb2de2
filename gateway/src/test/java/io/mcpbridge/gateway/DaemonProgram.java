package io.mcpbridge.gateway;

import io.mcpbridge.config.BridgeConfiguration;
import java.nio.file.Path;
import java.util.Map;

/** A daemon as a separate program, for tests with signals. Its argument is the configuration. */
final class DaemonProgram {

    private DaemonProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        var file = Path.of(arguments[0]);
        var signals = DaemonSignals.install(() -> BridgeConfiguration.read(file, Map.of()));
        try (var daemon = Daemon.start(BridgeConfiguration.read(file, Map.of()), DaemonOptions.DEFAULTS)) {
            signals.attach(daemon);
            daemon.awaitEnd();
        } finally {
            signals.close();
        }
    }
}
