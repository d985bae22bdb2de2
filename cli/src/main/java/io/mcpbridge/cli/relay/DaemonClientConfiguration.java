package io.mcpbridge.cli.relay;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorText;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The file of a client of the daemon, {@code bridge-client.json}.
 *
 * @param socketPath the socket of the daemon, if the file names it
 * @param autoConnect whether a relay waits for the daemon at its start; otherwise it connects at the first message
 * @param reconnect whether the client reconnects after it has lost the daemon
 * @param maxAttempts attempts to connect; at least 1
 * @param initialDelay pause before the second attempt; later pauses double
 * @param clientId the id of the client, if the file has one
 */
public record DaemonClientConfiguration(
        Optional<Path> socketPath,
        boolean autoConnect,
        boolean reconnect,
        int maxAttempts,
        Duration initialDelay,
        Optional<String> clientId) {

    /** The name of the file, beside the daemon's. */
    public static final String FILE = "bridge-client.json";

    /** Five attempts with a first pause of one second. */
    public static final DaemonClientConfiguration DEFAULTS =
            new DaemonClientConfiguration(Optional.empty(), true, true, 5, Duration.ofSeconds(1), Optional.empty());

    public DaemonClientConfiguration {
        new MistakeCollector()
                .unless(maxAttempts >= 1, "maxAttempts", maxAttempts, "at least 1")
                .unless(!initialDelay.isNegative(), "initialDelayMs", initialDelay.toMillis(), "at least 0")
                .throwIfAny();
    }

    /**
     * Reads the file, or returns the defaults if it does not exist.
     *
     * @throws ConfigurationException with every mistake in it
     */
    public static DaemonClientConfiguration read(Path file) {
        return read(file, DaemonClientConfiguration::parse, DEFAULTS);
    }

    /**
     * Reads the section {@code models}, which has the providers of language models by name; empty if there is none.
     *
     * @throws ConfigurationException if the file is not JSON
     */
    public static Settings readModels(Path file) {
        return read(file, text -> Settings.parse(text).section("models"), Settings.of(Map.of()));
    }

    private static <T> T read(Path file, Function<String, T> parser, T absent) {
        try {
            return parser.apply(Files.readString(file));
        } catch (NoSuchFileException none) {
            return absent;
        } catch (IOException unreadable) {
            throw ConfigurationException.of("cannot read '%s': %s; make it a readable file of UTF-8 text"
                    .formatted(file, ErrorText.of(unreadable)));
        } catch (ProtocolException notJson) {
            throw ConfigurationException.of("'%s' is not JSON: %s".formatted(file, notJson.getMessage()));
        } catch (ConfigurationException wrong) {
            throw ConfigurationException.ofAll(wrong.problems().stream()
                    .map(problem -> "%s: %s".formatted(file, problem))
                    .toList());
        }
    }

    /**
     * Reads the text of such a file.
     *
     * @throws ConfigurationException with every wrong value and every unknown key
     */
    public static DaemonClientConfiguration parse(String json) {
        var all = Settings.parse(json);
        all.ignore("models");
        var bridge = all.section("mcpBridge");
        var client = all.section("client");
        var reconnect = bridge.section("reconnect");
        var socketPath = bridge.text("socketPath").map(Path::of);
        var clientId = client.text("id");
        boolean autoConnect = bridge.flag("autoConnect", DEFAULTS.autoConnect);
        boolean enabled = reconnect.flag("enabled", DEFAULTS.reconnect);
        int attempts = reconnect.integer("maxAttempts", DEFAULTS.maxAttempts);
        var delay = Duration.ofMillis(reconnect.integer("initialDelayMs", (int) DEFAULTS.initialDelay.toMillis()));
        var mistakes = new MistakeCollector();
        Stream.of(all, bridge, client).forEach(each -> mistakes.collect(() -> each.finish(() -> each)));
        var read = mistakes.collect(() -> reconnect.finish(
                () -> new DaemonClientConfiguration(socketPath, autoConnect, enabled, attempts, delay, clientId)));
        mistakes.throwIfAny();
        return read.orElse(DEFAULTS);
    }
}
