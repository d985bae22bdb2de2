package io.mcpbridge.cli;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.gateway.AdminSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whom a subcommand calls: the daemon, or one server directly. */
final class TargetOption {

    @Mixin
    private DaemonOption daemon;

    @ArgGroup
    private @Nullable Server server;

    @Option(
            names = "--timeout",
            paramLabel = "SPAN",
            converter = SpanConverter.class,
            description = "How long the handshake and each attempt may take, such as 500ms or 30s.")
    private @Nullable Duration timeout;

    @Option(names = "--retries", paramLabel = "N", description = "How often to try again, 0 to 100; 0 unless given.")
    private int retries;

    /** One server instead of the daemon. */
    static final class Server {
        @Option(names = "--url", paramLabel = "URL", description = "A server's URL: http, https or unix.")
        private @Nullable URI url;

        @Option(names = "--command", paramLabel = "LINE", description = "A server's command line, quoted as a whole.")
        private @Nullable String command;
    }

    /** Whether tools have the names that the daemon gives them. */
    boolean isDaemon() {
        return server == null;
    }

    /** Where the daemon is asked about itself; empty where one server is called directly. */
    Optional<Path> adminSocket() {
        return isDaemon() ? Optional.of(AdminSocket.beside(daemon.path())) : Optional.empty();
    }

    Connection connect() throws InterruptedException {
        if (retries < 0 || retries > 100) {
            throw ConfigurationException.of("--retries is %d but must be 0 to 100".formatted(retries));
        }
        // The command tells its failure itself, once.
        Logging.show(Level.OFF);
        var options = options();
        var direct = server;
        if (direct == null) {
            return Connection.to(
                    URI.create("unix:" + Uris.path(daemon.path())), options.withClientId(daemon.clientId()));
        }
        if (direct.url != null) {
            return Connection.to(direct.url, options);
        }
        // Held as the daemon holds children of which nothing is said.
        return Connection.toCommand(Words.of(String.valueOf(direct.command)), options.with("sandbox", Map.of()));
    }

    private ConnectionOptions options() {
        var options = ConnectionOptions.DEFAULTS
                .withRetryPolicy(retries == 0 ? "none" : "exponential")
                .withMaxAttempts(retries + 1);
        return timeout == null ? options : options.withTimeout(timeout);
    }
}
