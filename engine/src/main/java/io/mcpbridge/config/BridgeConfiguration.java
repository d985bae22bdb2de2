package io.mcpbridge.config;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorText;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.files.PrivateFile;
import io.mcpbridge.files.UserFolders;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.internal.json.LocatedJson;
import io.mcpbridge.spi.MistakeCollector;
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
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The configuration of the bridge and of all its servers. Immutable.
 *
 * @param servers in the order of the file; those of the preset and of the environment follow
 * @param bridge the {@code bridge} object
 * @param remarks warnings that reading the file found
 * @param secrets values from variables and files, and literal secrets in the file
 * @param folder the folder of relative paths in the file
 * @param files the file itself, unless it was read as text, and the files whose content it inserts
 */
public record BridgeConfiguration(
        List<ServerSettings> servers,
        BridgeSettings bridge,
        List<String> remarks,
        List<Secret> secrets,
        Path folder,
        List<Path> files) {
    private static final String BRIDGE = "bridge";
    private static final String SERVERS = "mcpServers";

    /** The key of the servers in files of VS Code. */
    private static final String EDITOR_SERVERS = "servers";

    private static final Set<String> SECTIONS = Set.of(BRIDGE, SERVERS);
    private static final long MOST_BYTES = 4 << 20;
    private static final String EXPOSED = "other users can read '%s' (%s), which has secrets in it; use 'chmod 600 %s',"
            + " or ${env:NAME} and ${file:path} in place of the secrets";

    public BridgeConfiguration {
        servers = List.copyOf(servers);
        remarks = List.copyOf(remarks);
        secrets = List.copyOf(secrets);
        files = List.copyOf(files);
    }

    /**
     * Reads a file. The {@linkplain #findDefault default file} may be missing if variables name servers.
     *
     * @param environment the variables, for <code>${env:NAME}</code>, time-outs and endpoints
     * @throws ConfigurationException with every mistake in it, each with its line
     */
    public static BridgeConfiguration read(Path file, Map<String, String> environment) {
        return read(file, environment, readable -> {});
    }

    /**
     * Reads a file and applies an additional check; reports all mistakes together.
     *
     * @param check throws a {@link ConfigurationException} with the mistakes that it finds in the configuration, in
     *     which a wrong value has its default
     */
    public static BridgeConfiguration read(
            Path file, Map<String, String> environment, Consumer<BridgeConfiguration> check) {
        var text = text(file, environment);
        var read = naming(file, () -> parse(text, folder(file), environment, check));
        var files = new ArrayList<>(read.files);
        files.add(file.toAbsolutePath().normalize());
        var remarks = new ArrayList<>(read.remarks);
        exposure(file)
                .filter(rights -> Placeholders.hasLiteralSecret(JsonCodec.readCommented(text)))
                .ifPresent(rights -> remarks.add(EXPOSED.formatted(file, rights, file)));
        return new BridgeConfiguration(read.servers, read.bridge, remarks, read.secrets, read.folder, files);
    }

    private static Optional<String> exposure(Path file) {
        try {
            return PrivateFile.readableByOthers(file);
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /**
     * Reads only the {@code audit} section of a file, for readers of the audit trail. The other sections may have
     * mistakes and name missing variables and files.
     *
     * @throws ConfigurationException if the file cannot be read, or a placeholder in that section cannot be filled in
     */
    public static Settings readAudit(Path file, Map<String, String> environment) {
        var text = text(file, environment);
        return naming(file, () -> {
            var document = document(text);
            var bridge = document.section(BRIDGE);
            var audit = bridge.section("audit").filledBy(new Placeholders(folder(file), environment)::fill);
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
        return parse(json, folder, environment, readable -> {});
    }

    /**
     * Configures servers that a program names. Texts are taken as they are, without placeholders.
     *
     * @param servers the section of each server, with the keys of a file
     * @param environment the variables, for the time-out
     * @param check throws a {@link ConfigurationException} with further mistakes
     * @throws ConfigurationException with every mistake
     */
    public static BridgeConfiguration of(
            Map<String, ? extends Map<String, ?>> servers,
            Map<String, String> environment,
            Consumer<BridgeConfiguration> check) {
        var mistakes = new MistakeCollector();
        var timeout = mistakes.collect(
                () -> BridgeEnvironmentVariables.of(environment).timeout());
        var bridge = Settings.of(Map.of());
        var sections = new ServerSections(bridge, timeout.orElse(ServerSettings.DEFAULT_TIMEOUT), mistakes);
        sections.readFile(Settings.of(Map.of(SERVERS, servers)).section(SERVERS));
        var folder = Path.of("").toAbsolutePath();
        var secrets = new Placeholders(folder, environment).secrets(LocatedJson.of(Map.of(SERVERS, servers)));
        var settings = BridgeSettings.read(bridge, mistakes);
        var read =
                new BridgeConfiguration(sections.servers(), settings, sections.warnings(), secrets, folder, List.of());
        mistakes.check(() -> check.accept(read));
        mistakes.throwIfAny();
        return read;
    }

    private static BridgeConfiguration parse(
            String json, Path folder, Map<String, String> environment, Consumer<BridgeConfiguration> check) {
        var mistakes = new MistakeCollector();
        var variables = mistakes.collect(() -> BridgeEnvironmentVariables.of(environment));
        var timeout =
                variables.flatMap(known -> mistakes.collect(known::timeout)).orElse(ServerSettings.DEFAULT_TIMEOUT);
        var placeholders = new Placeholders(folder, environment);
        var document = document(json);
        var bridge = document.section(BRIDGE).filledBy(placeholders::fill);
        var servers = new ServerSections(bridge, timeout, mistakes);
        servers.readFile(document.section(SERVERS).filledBy(placeholders::fill));
        servers.readFile(document.section(EDITOR_SERVERS).filledBy(placeholders::fill));
        // What the editor asks its user for.
        document.ignore("inputs");
        servers.addOthers(
                bridge, variables.map(BridgeEnvironmentVariables::endpoints).orElse(Map.of()));
        var settings = BridgeSettings.read(bridge, mistakes);
        rejectMisspelt(document);
        mistakes.collect(() -> document.allowUnknownKeys().finish(() -> document));
        var remarks = new ArrayList<>(document.unknownKeyWarnings());
        remarks.addAll(servers.warnings());
        servers.servers().forEach(server -> remarks.addAll(settings.visibility().dottedPatterns(server.name())));
        var secrets = placeholders.secrets(JsonCodec.readCommented(json));
        var read = new BridgeConfiguration(servers.servers(), settings, remarks, secrets, folder, placeholders.files());
        mistakes.check(() -> check.accept(read));
        mistakes.throwIfAny();
        return read;
    }

    /** Rejects misspelled keys of the bridge; accepts other top-level keys, since other programs share this file. */
    private static void rejectMisspelt(Settings document) {
        for (var key : document.unknownKeys()) {
            Nearest.to(key, SECTIONS)
                    .filter(meant -> !document.has(meant))
                    .ifPresent(meant -> document.rejectName(key, "'%s'".formatted(meant)));
        }
    }

    /** The default file, in the user's configuration folder. */
    public static Path defaultFile(Map<String, String> environment) {
        return UserFolders.configuration(environment).resolve("mcp.json");
    }

    /** The default file if it exists, or if variables name servers, for which {@link #read} needs no file. */
    public static Optional<Path> findDefault(Map<String, String> environment) {
        return Optional.of(defaultFile(environment))
                .filter(file -> Files.exists(file) || BridgeEnvironmentVariables.nameEndpoints(environment));
    }

    /** The server of this name. */
    public Optional<ServerSettings> server(String name) {
        return servers.stream().filter(server -> server.name().equals(name)).findFirst();
    }

    /** The remarks, and unknown keys of enabled servers; complete once the transports exist. */
    public List<String> warnings() {
        var warnings = new ArrayList<>(remarks);
        servers.stream()
                .filter(ServerSettings::enabled)
                .forEach(server -> warnings.addAll(server.settings().unknownKeyWarnings()));
        return warnings;
    }

    private static Settings document(String json) {
        try {
            return Settings.parse(json, UnaryOperator.identity());
        } catch (ProtocolException notJson) {
            throw ConfigurationException.of("the configuration is not JSON: " + notJson.getMessage());
        }
    }

    /** Reads a file; the default file may be missing if variables name servers. */
    private static String text(Path file, Map<String, String> environment) {
        var isVariablesAlone = !Files.exists(file)
                && findDefault(environment).filter(file::equals).isPresent();
        return isVariablesAlone ? "{}" : text(file);
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
            throw ConfigurationException.of("the configuration '%s' cannot be read: %s; name a readable file"
                    .formatted(file, ErrorText.of(unreadable)));
        }
    }

    private static Path folder(Path file) {
        return Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(file);
    }
}
