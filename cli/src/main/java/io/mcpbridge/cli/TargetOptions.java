package io.mcpbridge.cli;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.gateway.AdminClient;
import io.mcpbridge.spi.Settings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The target of a subcommand: the daemon, or one server directly. */
final class TargetOptions {

    @Mixin
    private DaemonClientOptions daemon;

    @ArgGroup
    private @Nullable Server server;

    @Option(
            names = "--timeout",
            paramLabel = "SPAN",
            converter = DurationConverter.class,
            description = "How long the handshake and each attempt may take, such as 500ms or 30s.")
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
        return isDaemon() ? Optional.of(AdminClient.socketBeside(daemon.path())) : Optional.empty();
    }

    Connection connect() throws InterruptedException {
        if (retries < 0 || retries > 100) {
            throw ConfigurationException.of("--retries is %d but must be 0 to 100".formatted(retries));
        }
        // The command reports its failure once, without the log.
        Logging.show(Level.OFF);
        var options = options();
        var direct = server;
        if (direct == null) {
            return Connection.to(
                    URI.create("unix:" + daemon.path().toAbsolutePath().toUri().getRawPath()),
                    options.withClientId(daemon.clientId()));
        }
        if (direct.url != null) {
            return Connection.to(direct.url, options);
        }
        // The default sandbox level, as for children of the daemon.
        return Connection.toCommand(
                CommandLineSplitter.of(String.valueOf(direct.command)), options.with("sandbox", Map.of()));
    }

    private ConnectionOptions options() {
        var options = ConnectionOptions.DEFAULTS
                .withRetryPolicy(retries == 0 ? "none" : "exponential")
                .withMaxAttempts(retries + 1);
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

        private static final char NONE = 0;

        private final List<String> words = new ArrayList<>();
        private final StringBuilder word = new StringBuilder();
        private char quote = NONE;
        private boolean isWord;

        private CommandLineSplitter() {}

        static List<String> of(String line) {
            var splitter = new CommandLineSplitter();
            line.chars().forEach(c -> splitter.take((char) c));
            splitter.endWord();
            return splitter.checked(line);
        }

        private void take(char c) {
            if (quote != NONE) {
                quoted(c);
            } else if (c == '\'' || c == '"') {
                quote = c;
                isWord = true;
            } else if (Character.isWhitespace(c)) {
                endWord();
            } else {
                word.append(c);
                isWord = true;
            }
        }

        private void quoted(char c) {
            if (c == quote) {
                quote = NONE;
            } else {
                word.append(c);
            }
        }

        private void endWord() {
            if (isWord) {
                words.add(word.toString());
                word.setLength(0);
                isWord = false;
            }
        }

        private List<String> checked(String line) {
            if (quote != NONE) {
                throw ConfigurationException.of(
                        "the command line '%s' has a %c that is not closed".formatted(line, quote));
            }
            if (words.isEmpty()) {
                throw ConfigurationException.of("the command line '%s' names no program".formatted(line));
            }
            return words;
        }
    }
}
