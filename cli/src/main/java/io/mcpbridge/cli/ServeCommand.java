package io.mcpbridge.cli;

import io.mcpbridge.cli.demo.DemoConfiguration;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.gateway.ConfigurationCheck;
import io.mcpbridge.gateway.Daemon;
import io.mcpbridge.gateway.DaemonOptions;
import io.mcpbridge.gateway.Signals;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mcp-bridge serve}: the daemon, until a signal ends it. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description =
                "Runs the daemon. TERM and INT end it in good order, a second one at once; HUP reads the configuration"
                        + " again.")
final class ServeCommand implements Callable<Integer> {

    @Mixin
    private ConfigurationOption file;

    @Option(names = "--mcp-bridge-socket", paramLabel = "PATH", description = "Listen on this Unix socket.")
    private @Nullable Path socket;

    @Option(
            names = "--http",
            paramLabel = "[HOST:]PORT",
            description = "Listen for HTTP here; port 0 lets the system choose.")
    private @Nullable String http;

    @Option(names = "--stdio", description = "Serve one client on standard input and output as well, and end with it.")
    private boolean isOnStdio;

    @Option(
            names = "--otlp",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "URL",
            description =
                    "Tell an OpenTelemetry collector of calls over OTLP; at http://localhost:4318 unless this or the"
                            + " OTEL_* variables say otherwise.")
    private @Nullable String otlp;

    @Option(names = "--demo", description = "Serve the demonstration's server; needs no configuration.")
    private boolean isDemo;

    @Override
    public Integer call() throws InterruptedException {
        Logging.show(Level.INFO);
        var configuration = configuration();
        var signals = Signals.install(configuration);
        try {
            return serve(configuration, signals);
        } finally {
            signals.close();
        }
    }

    private int serve(Supplier<BridgeConfiguration> configuration, Signals signals) throws InterruptedException {
        var read = configuration.get();
        Runnable telling = otlp == null ? () -> {} : Otlp.begin(otlp);
        try (var daemon = Daemon.start(read, options())) {
            signals.attend(daemon);
            daemon.awaitEnd();
            return ExitCode.OK;
        } finally {
            telling.run();
        }
    }

    private Supplier<BridgeConfiguration> configuration() {
        if (isDemo) {
            return () -> DemoConfiguration.ofOneServer(System.getenv());
        }
        var found = file.find()
                .orElseThrow(() -> ConfigurationException.of(
                        "there is no configuration file '%s': write one and try 'mcp-bridge check', name another with --config, or see it work with 'mcp-bridge serve --demo'"
                                .formatted(BridgeConfiguration.defaultFile(System.getenv()))));
        return () -> ConfigurationCheck.toServe(found, System.getenv(), options());
    }

    private DaemonOptions options() {
        var options = DaemonOptions.DEFAULTS;
        if (socket != null) {
            options = options.withListener(
                    "unix", Map.of("path", socket.toAbsolutePath().toString()));
        }
        if (http != null) {
            options = options.withListener("http", HttpAddress.parse(http).values());
        }
        if (otlp != null) {
            options = options.withTelemetry(Map.of("observer", "opentelemetry"));
        }
        return isOnStdio ? options.withListener("stdio", Map.of()) : options;
    }
}
