package io.mcpbridge.cli;

import io.mcpbridge.cli.demo.DemoConfiguration;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.files.UnixSocket;
import io.mcpbridge.files.UserFolders;
import io.mcpbridge.gateway.ConfigurationCheck;
import io.mcpbridge.gateway.Daemon;
import io.mcpbridge.gateway.DaemonOptions;
import io.mcpbridge.gateway.DaemonSignals;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mcp-bridge serve}: runs the daemon until a signal ends it. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description =
                "Runs the daemon. TERM and INT drain it, a second one ends it at once; HUP reloads the configuration.")
final class ServeCommand implements Callable<Integer> {

    @Mixin
    private ConfigurationOption file = new ConfigurationOption();

    @Option(names = "--mcp-bridge-socket", paramLabel = "PATH", description = "Listen on this Unix socket.")
    private @Nullable Path socket;

    @Option(
            names = "--http",
            paramLabel = "[HOST:]PORT",
            description = "Listen for HTTP here, too; port 0 lets the system choose.")
    private @Nullable String http;

    @Option(
            names = "--stdio",
            description =
                    "Serve one client on standard input and output, and end with it. Alone it opens no Unix socket that"
                            + " the configuration does not name.")
    private boolean isOnStdio;

    @Option(
            names = "--otlp",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "URL",
            description =
                    "Export spans and metrics of calls by OTLP; to http://localhost:4318 unless this or the OTEL_*"
                            + " variables say otherwise.")
    private @Nullable String otlp;

    @Option(names = "--demo", description = "Serve the demo server; needs no configuration.")
    private boolean isDemo;

    /** The command for words that name no more than the configuration, which need no parser. */
    static Optional<ServeCommand> simple(List<String> words) {
        if (words.isEmpty() || !words.get(0).equals("serve")) {
            return Optional.empty();
        }
        var command = new ServeCommand();
        if (words.size() == 3 && words.get(1).equals("--config") && words.get(2).matches("[^-@].*")) {
            command.file = new ConfigurationOption(Path.of(words.get(2)));
            return Optional.of(command);
        }
        return words.size() == 1 ? Optional.of(command) : Optional.empty();
    }

    @Override
    public Integer call() throws InterruptedException {
        Logging.show(Level.INFO);
        var configuration = configuration();
        var signals = DaemonSignals.install(configuration);
        try {
            return serve(configuration, signals);
        } finally {
            signals.close();
        }
    }

    private int serve(Supplier<BridgeConfiguration> configuration, DaemonSignals signals) throws InterruptedException {
        var read = configuration.get();
        Runnable endExport = otlp == null ? () -> {} : OtlpExport.start(otlp);
        try (var daemon = Daemon.start(read, options())) {
            signals.attach(daemon);
            HeapTrim.start();
            daemon.awaitEnd();
            return ExitCode.OK;
        } finally {
            endExport.run();
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
        var options = isDemo ? DaemonOptions.DEFAULTS : DaemonOptions.DEFAULTS.withListFolder(listFolder());
        if (socket != null) {
            var path = UnixSocket.checked(socket.toAbsolutePath());
            options = options.withListener("unix", Map.of("path", path.toString()));
        }
        if (http != null) {
            options = options.withListener("http", HttpAddress.parse(http).values());
        }
        if (otlp != null) {
            options = options.withTelemetry(Map.of("observer", "opentelemetry"));
        }
        return isOnStdio ? options.withListener("stdio", Map.of()) : options;
    }

    /** The folder that keeps the tools of the servers for the next start. */
    private static Path listFolder() {
        return UserFolders.state(System.getenv()).resolve("tools");
    }

    /**
     * The address of the HTTP listener.
     *
     * @param host a name or an address
     * @param port 0 to 65535; 0 lets the system choose
     */
    record HttpAddress(String host, int port) {
        private static final Pattern FORM = Pattern.compile("(?:(\\[[0-9a-fA-F:]+]|[^:\\[\\]]+):)?(\\d{1,5})");
        private static final int LAST_PORT = 65_535;

        static HttpAddress parse(String text) {
            var parts = FORM.matcher(text);
            if (!parts.matches() || Integer.parseInt(parts.group(2)) > LAST_PORT) {
                throw ConfigurationException.of(
                        "--http is '%s' but must be a port, or host:port such as 127.0.0.1:7450".formatted(text));
            }
            var host = parts.group(1) == null ? "127.0.0.1" : parts.group(1);
            return new HttpAddress(host, Integer.parseInt(parts.group(2)));
        }

        /** The keys of the listener's section. */
        Map<String, Object> values() {
            return Map.of("host", host, "port", port);
        }
    }
}
