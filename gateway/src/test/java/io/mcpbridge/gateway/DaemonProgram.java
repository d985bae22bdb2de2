package io.mcpbridge.gateway;

import io.mcpbridge.config.BridgeConfiguration;
import java.nio.file.Path;
import java.util.Map;

/** A daemon as a program of its own, for tests that send it signals. Its argument is the configuration. */
final class DaemonProgram {

    private DaemonProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        var file = Path.of(arguments[0]);
        try (var daemon = Daemon.start(BridgeConfiguration.read(file, Map.of()), DaemonOptions.DEFAULTS);
                var signals = Signals.install(daemon, () -> BridgeConfiguration.read(file, Map.of()))) {
            assert signals != null;
            daemon.awaitEnd();
        }
    }
}
