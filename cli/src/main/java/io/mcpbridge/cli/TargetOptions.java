package io.mcpbridge.cli;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.config.BridgeEnvironmentVariables;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.gateway.DaemonClient;
import io.mcpbridge.spi.Secret;
import io.mcpbridge.spi.Settings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The target of a subcommand: the daemon, or one server directly. */
final class TargetOptions {

    @Mixin
    private DaemonClientOptions daemon = new DaemonClientOptions();

    @ArgGroup
    private @Nullable Server server;

    @Option(
            names = "--timeout",
            paramLabel = "SPAN",
            converter = DurationConverter.class,
            description = "How long the handshake and each attempt may take, such as 500ms; default 30s.")
    private @Nullable Duration timeout;

    @Option(names = "--retries", paramLabel = "N", description = "The number of retries, 0 to 100; default 0.")
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

    /** The administrative socket of the daemon; empty if one server is called directly. */
    Optional<Path> adminSocket() {
        return isDaemon() ? Optional.of(DaemonClient.socketBeside(daemon.path())) : Optional.empty();
    }

    /** The sections of providers of models in the file of the client. */
    Settings models() {
        return daemon.models();
    }

    /**
     * Opens the target for what needs neither questions nor the events of a connection. The daemon is asked without a
     * connection of the engine, unless that has to retry.
     *
     * @param log the minimum level of the log on standard error
     */
    ToolTarget open(Level log) throws InterruptedException {
        if (server != null || retries != 0) {
            return ToolTarget.of(connect(log));
        }
        var variables = BridgeEnvironmentVariables.of(System.getenv());
        return DaemonTarget.connect(
                daemon.path(), daemon.clientId(), timeout == null ? variables.timeout() : timeout, log);
    }

    /** @param log the minimum level of the log on standard error */
    Connection connect(Level log) throws InterruptedException {
        if (retries < 0 || retries > 100) {
            throw ConfigurationException.of("--retries is %d but must be 0 to 100".formatted(retries));
        }
        Logging.show(log);
        var options = options();
        var direct = server;
        if (direct == null) {
            return daemon.connect(options);
        }
        if (direct.url != null) {
            return toUrl(direct.url, options);
        }
        // The default sandbox level, as for children of the daemon.
        return Connection.toCommand(
                CommandLineSplitter.of(String.valueOf(direct.command)), options.with("sandbox", Map.of()));
    }

    private static Connection toUrl(URI url, ConnectionOptions options) throws InterruptedException {
        try {
            return Connection.to(url, options);
        } catch (TransportException failed) {
            var why = failed.failure();
            if (why.status().orElse(0) != 401) {
                throw failed;
            }
            var words =
                    "'%s' answered with HTTP status 401, and --url sends no credentials; give the server 'headers' in the configuration of 'mcp-bridge serve', and call it through the daemon";
            throw TransportException.of(why.withMessage(words.formatted(Secret.hiddenIn(url.toString()))));
        }
    }

    private ConnectionOptions options() {
        var options = ConnectionOptions.DEFAULTS
                .withRetryPolicy(retries == 0 ? "none" : "exponential")
                .withMaxAttempts(retries + 1)
                .with("log-calls", true)
                .withoutSchemaCheck();
        return timeout == null ? options : options.withTimeout(timeout);
    }

    /** Parses durations in the syntax of the configuration file, such as {@code 500ms} or {@code 30s}. */
    static final class DurationConverter implements ITypeConverter<Duration> {

        @Override
        public Duration convert(String value) {
            return Settings.of(Map.of("span", value))
                    .duration("span")
                    .filter(span -> !span.isZero())
                    .orElseThrow(() -> new TypeConversionException(
                            "'%s' is not a time span; write for example 500ms, 30s or 2m".formatted(value)));
        }
    }

    /** Splits a command line at spaces outside of single and double quotes. No shell is involved. */
    static final class CommandLineSplitter {
        private static final Pattern PART = Pattern.compile(
                "'(?<single>[^']*)'|\"(?<double>[^\"]*)\"|(?<open>['\"])|(?<blank>\\p{javaWhitespace}+)|[^'\"\\p{javaWhitespace}]+");

        private CommandLineSplitter() {}

        static List<String> of(String line) {
            var words = new ArrayList<String>();
            var word = Optional.<String>empty();
            for (var part = PART.matcher(line); part.find(); ) {
                if (part.group("open") != null) {
                    throw ConfigurationException.of(
                            "the command line '%s' has a %s that is not closed".formatted(line, part.group()));
                }
                if (part.group("blank") == null) {
                    word = Optional.of(word.orElse("") + text(part));
                } else {
                    word.ifPresent(words::add);
                    word = Optional.empty();
                }
            }
            word.ifPresent(words::add);
            if (words.isEmpty()) {
                throw ConfigurationException.of("the command line '%s' names no program".formatted(line));
            }
            return words;
        }

        private static String text(Matcher part) {
            return Stream.of("single", "double")
                    .flatMap(quoted -> Stream.ofNullable(part.group(quoted)))
                    .findFirst()
                    .orElse(part.group());
        }
    }
}
