package io.mcpbridge.config;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.spi.Confinement;
import io.mcpbridge.spi.Nearest;
import io.mcpbridge.spi.Secret;
import io.mcpbridge.spi.Settings;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The whole configuration: the servers behind the bridge, and the bridge itself.
 *
 * @param servers in the order of the file; those of the preset and of the environment follow
 * @param bridge the {@code bridge} object
 * @param remarks what is odd but does not stop the start, as far as reading the file shows it
 * @param secrets what was filled in from variables and files, and what in the file itself is one
 * @param folder where relative paths begin that the file names
 */
public record BridgeConfiguration(
        List<ServerSettings> servers, BridgeSettings bridge, List<String> remarks, List<Secret> secrets, Path folder) {
    private static final String BRIDGE = "bridge";
    private static final String SERVERS = "mcpServers";
    private static final String SANDBOX = "sandbox";
    private static final Set<String> SECTIONS = Set.of(BRIDGE, SERVERS);
    private static final long MOST_BYTES = 4 << 20;

    public BridgeConfiguration {
        servers = List.copyOf(servers);
        remarks = List.copyOf(remarks);
        secrets = List.copyOf(secrets);
    }

    /**
     * Reads a file.
     *
     * @param environment the variables, for <code>${env:NAME}</code>, time-outs and endpoints
     * @throws ConfigurationException with every mistake in it, each with its line
     */
    public static BridgeConfiguration read(Path file, Map<String, String> environment) {
        return read(file, environment, readable -> List.of());
    }

    /**
     * The same with a check of one's own, so that all mistakes are told together.
     *
     * @param check finds the mistakes in what could be read, where a wrong value has its default
     */
    public static BridgeConfiguration read(
            Path file, Map<String, String> environment, Function<BridgeConfiguration, List<String>> check) {
        var text = text(file);
        return naming(file, () -> parse(text, folder(file), environment, check));
    }

    /**
     * Reads the {@code audit} section of a file alone, for those who read what was recorded: the rest need not be right,
     * and variables and files that it mentions need not be there.
     *
     * @throws ConfigurationException if the file cannot be read, or something in that section cannot be filled in
     */
    public static Settings readAudit(Path file, Map<String, String> environment) {
        var text = text(file);
        return naming(file, () -> {
            var document = document(text, UnaryOperator.identity());
            var bridge = document.section(BRIDGE);
            var audit = bridge.section("audit").filledBy(new Filling(folder(file), environment)::fill);
            rejectMisspelt(document);
            document.allowUnknownKeys().finish(() -> document);
            bridge.allowUnknownKeys().finish(() -> bridge);
            return audit.allowUnknownKeys().finish(() -> audit);
        });
    }

    private static <T> T naming(Path file, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (ConfigurationException wrong) {
            throw ConfigurationException.ofAll(wrong.problems().stream()
                    .map(problem -> "%s: %s".formatted(file, problem))
                    .toList());
        }
    }

    /**
     * Reads the text of a file.
     *
     * @param folder where <code>${file:path}</code> looks
     * @throws ConfigurationException with every mistake in it, each with its line
     */
    public static BridgeConfiguration parse(String json, Path folder, Map<String, String> environment) {
        return parse(json, folder, environment, readable -> List.of());
    }

    private static BridgeConfiguration parse(
            String json,
            Path folder,
            Map<String, String> environment,
            Function<BridgeConfiguration, List<String>> check) {
        var mistakes = new Mistakes();
        var variables = mistakes.collect(() -> Variables.of(environment));
        var timeout =
                variables.flatMap(known -> mistakes.collect(known::timeout)).orElse(ServerSettings.DEFAULT_TIMEOUT);
        var filling = new Filling(folder, environment);
        var document = document(json, filling::fill);
        var bridge = document.section(BRIDGE);
        var defaults = mistakes.collect(() -> StageDefaults.of(bridge)).orElseGet(() -> Settings.of(Map.of()));
        var servers = new ServerSections(mistakes, timeout, defaults, sandbox(bridge, mistakes));
        servers.readFile(document.section(SERVERS));
        servers.addOthers(bridge, variables.map(Variables::endpoints).orElse(Map.of()));
        var settings = BridgeSettings.read(bridge, mistakes);
        rejectMisspelt(document);
        mistakes.collect(() -> document.allowUnknownKeys().finish(() -> document));
        var remarks = new ArrayList<>(document.unknownKeyWarnings());
        remarks.addAll(servers.warnings());
        var secrets = new ArrayList<>(filling.filledIn());
        secrets.addAll(LiteralSecrets.in(Json.readCommented(json)));
        var read = new BridgeConfiguration(servers.servers(), settings, remarks, secrets, folder);
        mistakes.addAll(check.apply(read));
        mistakes.throwIfAny();
        return read;
    }

    /** What children have that say nothing else; none where it is wrong, so that this is not told of each of them too. */
    private static Settings sandbox(Settings bridge, Mistakes mistakes) {
        return mistakes.collect(() -> Confinement.from(bridge.section(SANDBOX)))
                .map(unused -> bridge.only(Set.of(SANDBOX)))
                .orElseGet(() -> Settings.of(Map.of()));
    }

    /** Other programs have keys of their own in such a file, but one that is all but ours was meant for us. */
    private static void rejectMisspelt(Settings document) {
        for (var key : document.unknownKeys()) {
            Nearest.to(key, SECTIONS)
                    .filter(meant -> !document.has(meant))
                    .ifPresent(meant -> document.rejectName(key, "'%s'".formatted(meant)));
        }
    }

    /** Where the file is unless somebody says otherwise: in the user's configuration folder. */
    public static Path defaultFile(Map<String, String> environment) {
        var folder = Optional.ofNullable(environment.get("XDG_CONFIG_HOME"))
                .map(Path::of)
                .filter(Path::isAbsolute)
                .orElseGet(() -> home(environment).resolve(".config"));
        return folder.resolve("mcp-bridge").resolve("mcp.json");
    }

    /** The server of this name. */
    public Optional<ServerSettings> server(String name) {
        return servers.stream().filter(server -> server.name().equals(name)).findFirst();
    }

    /** The remarks, and the keys of enabled servers that nobody has read; ask when the transports are made. */
    public List<String> warnings() {
        var warnings = new ArrayList<>(remarks);
        servers.stream()
                .filter(ServerSettings::enabled)
                .forEach(server -> warnings.addAll(server.settings().unknownKeyWarnings()));
        return warnings;
    }

    private static Settings document(String json, UnaryOperator<String> filling) {
        try {
            return Settings.parse(json, filling);
        } catch (ProtocolException notJson) {
            throw ConfigurationException.of("the configuration is not JSON: " + notJson.getMessage());
        }
    }

    private static String text(Path file) {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw ConfigurationException.of(
                        "the configuration '%s' is longer than %d bytes".formatted(file, MOST_BYTES));
            }
            return Files.readString(file);
        } catch (NoSuchFileException missing) {
            throw ConfigurationException.of(
                    "there is no configuration '%s'; create it or name another file".formatted(file));
        } catch (CharacterCodingException notText) {
            throw ConfigurationException.of("the configuration '%s' is not UTF-8 text".formatted(file));
        } catch (IOException unreadable) {
            throw ConfigurationException.of("the configuration '%s' cannot be read: %s".formatted(file, unreadable));
        }
    }

    private static Path folder(Path file) {
        return Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(file);
    }

    private static Path home(Map<String, String> environment) {
        return Path.of(Optional.ofNullable(environment.get("HOME")).orElseGet(() -> System.getProperty("user.home")));
    }
}
