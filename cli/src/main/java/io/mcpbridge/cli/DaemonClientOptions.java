package io.mcpbridge.cli;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.cli.relay.AbsentDaemon;
import io.mcpbridge.cli.relay.DaemonClientConfiguration;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.files.DaemonSocketLocation;
import io.mcpbridge.spi.Settings;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The socket of the daemon and the client id of a subcommand. */
final class DaemonClientOptions {

    @Option(names = "--mcp-bridge-socket", paramLabel = "PATH", description = "The daemon's Unix socket.")
    private @Nullable String socket;

    @Option(names = "--mcp-client-id", paramLabel = "ID", description = "The id shown in the daemon's registry.")
    private @Nullable String clientId;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The file of the client; else bridge-client.json beside the daemon's configuration.")
    private @Nullable Path configuration;

    /** The socket: that of the argument, the variable, the file or the default locations, in this order. */
    Path path() {
        return DaemonSocketLocation.in(System.getenv()).ofClient(Optional.ofNullable(socket), file().socketPath());
    }

    /** Connects with the id of this client. */
    Connection connect(ConnectionOptions options) throws InterruptedException {
        var path = path();
        try {
            var uri = URI.create("unix:" + path.toAbsolutePath().toUri().getRawPath());
            return Connection.to(uri, options.withClientId(clientId()));
        } catch (TransportException failed) {
            throw AbsentDaemon.explain(path, failed);
        }
    }

    /** The id of this client, or the empty string. */
    String clientId() {
        return Optional.ofNullable(clientId)
                .or(() -> Optional.ofNullable(System.getenv("MCP_CLIENT_ID")))
                .or(() -> file().clientId())
                .orElse("");
    }

    /** The client's file: the named one, else the one beside the daemon's configuration. */
    DaemonClientConfiguration file() {
        return DaemonClientConfiguration.read(filePath());
    }

    /** The providers of language models in the same file. */
    Settings models() {
        return DaemonClientConfiguration.readModels(filePath());
    }

    private Path filePath() {
        var named = configuration;
        if (named != null && !Files.exists(named)) {
            throw ConfigurationException.of("there is no file '%s', which --config names".formatted(named));
        }
        return named != null
                ? named
                : BridgeConfiguration.defaultFile(System.getenv()).resolveSibling(DaemonClientConfiguration.FILE);
    }
}
