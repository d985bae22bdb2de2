package io.mcpbridge.cli;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.gateway.ConfigurationCheck;
import io.mcpbridge.gateway.SandboxReport;
import io.mcpbridge.process.ChildEnvironment;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mcp-bridge check}: checks the complete configuration as the daemon would, and prints the result. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = "Checks the configuration and shows each command, without starting or connecting any server.")
final class CheckCommand implements Callable<Integer> {

    @Mixin
    private ConfigurationOption file;

    @Mixin
    private Output output;

    @Override
    public Integer call() {
        var path = file.path();
        var configuration = ConfigurationCheck.ofEverything(path, System.getenv());
        var sandbox = SandboxReport.of(configuration);
        var children = configuration.servers().stream()
                .filter(server -> server.enabled() && server.type().equals("stdio"))
                .toList();
        var listeners = configuration.bridge().listeners().keySet();
        output.styled("@|green ok|@  "
                + (Files.exists(path)
                        ? path
                        : "the servers of variables MCP_<NAME>_ENDPOINT; there is no file '%s'".formatted(path)));
        Stream.of(
                        configuration.warnings(),
                        sandbox.missing(),
                        sandbox.raised(),
                        missingPrograms(children),
                        missingSocket(listeners),
                        PluginReport.ofClassPath().problems())
                .flatMap(List::stream)
                .forEach(why -> output.styled("@|yellow odd|@ " + VisibleText.of(why)));
        print(configuration);
        print(children, new CommandText(configuration.secrets()));
        output.line("listeners: " + (listeners.isEmpty() ? "unix" : String.join(", ", listeners)));
        print(sandbox);
        return ExitCode.OK;
    }

    /** The default level of this machine, and the servers with another one. */
    private void print(SandboxReport sandbox) {
        var usual = sandbox.status().level();
        var others = new TreeMap<>(sandbox.servers());
        others.values().removeIf(level -> level.name().equals(usual));
        var remark = sandbox.status().remark();
        output.line("sandbox: %s%s%s"
                .formatted(
                        usual,
                        others.isEmpty() ? "" : ", but " + others,
                        remark.isEmpty() ? "" : "; " + VisibleText.of(remark)));
    }

    private static String isolation(ServerSettings server) {
        if (!server.isolation().perCall()) {
            return "";
        }
        var memory = server.execution().maxMemoryMb();
        return "a process for each call: %d warm, at most %d, each %d ms and %s"
                .formatted(
                        server.isolation().warm(),
                        server.isolation().max(),
                        server.execution().maxExecution().toMillis(),
                        memory == 0 ? "any memory" : memory + " MiB");
    }

    private void print(BridgeConfiguration configuration) {
        var table = new Table("SERVER", "TRANSPORT", "START", "TIMEOUT", "");
        configuration
                .servers()
                .forEach(server -> table.row(
                        server.name(),
                        server.type(),
                        server.startsEagerly() ? "eager" : "lazy",
                        server.timeout().toMillis() + " ms",
                        server.enabled() ? isolation(server) : "disabled"));
        table.lines().forEach(output::line);
    }

    /** Each command as it will run; only children have one. */
    private void print(List<ServerSettings> children, CommandText text) {
        var table = new Table("SERVER", "COMMAND");
        children.forEach(server -> table.row(server.name(), text.of(words(server))));
        if (!children.isEmpty()) {
            table.lines().forEach(output::line);
        }
    }

    /** The servers whose program would not start, a sentence each. */
    private static List<String> missingPrograms(List<ServerSettings> children) {
        return children.stream()
                .flatMap(server ->
                        PlainProcessLauncher.programProblem(command(server))
                                .map(why -> "server '%s': %s".formatted(server.name(), why))
                                .stream())
                .toList();
    }

    /** Without {@code listen}, the daemon has the socket. */
    private static List<String> missingSocket(Set<String> listeners) {
        return listeners.isEmpty() || listeners.contains("unix")
                ? List.of()
                : List.of(
                        "without 'unix' in 'listen', the commands of mcp-bridge and 'connect' cannot reach the daemon; add \"unix\": {}");
    }

    private static LaunchCommand command(ServerSettings server) {
        var settings = server.settings();
        var variables = ChildEnvironment.of(System.getenv(), settings.textsByName("env"));
        var folder = Path.of(settings.text("cwd", "")).toAbsolutePath();
        return LaunchCommand.of(words(server), variables).inFolder(folder);
    }

    private static List<String> words(ServerSettings server) {
        var words = new ArrayList<>(List.of(server.settings().requiredText("command")));
        words.addAll(server.settings().texts("args"));
        return words;
    }

    /**
     * Formats the command of a child process as a line that a shell would split into the same words, without its
     * secrets.
     *
     * <p>It hides the secrets of the configuration and values after the name of a secret, such as {@code token=} or
     * {@code Authorization:}.
     */
    static final class CommandText {
        private static final String HIDDEN = "***";

        /**
         * The shortest secret that is hidden within a word. A shorter one may occur in any word, so it is hidden only
         * as a whole word.
         */
        private static final int SHORTEST_INSIDE_WORDS = 6;

        private static final Pattern NAMED_VALUE = Pattern.compile(
                "(?i)((?:token|secret|passw(?:or)?d|passphrase|api[-_]?key|credential|cookie|authorization)[\"']?\\s*+[:=]\\s*+[\"']?"
                        + "(?:(?:bearer|basic)\\s++)?|bearer\\s++)[^\\s\"';&|]+");

        /** A word without special characters of a shell; stars come from hidden secrets. */
        private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z0-9_@%+=:,./*-]+");

        private final List<Pattern> secrets;

        CommandText(Collection<Secret> secrets) {
            this.secrets = secrets.stream()
                    .map(Secret::reveal)
                    .filter(secret -> !secret.isBlank())
                    .distinct()
                    // The longest first: a secret may be the beginning of a longer one, whose rest would stay visible.
                    .sorted(Comparator.comparingInt(String::length).reversed())
                    .map(CommandText::pattern)
                    .toList();
        }

        private static Pattern pattern(String secret) {
            var quoted = Pattern.quote(secret);
            return Pattern.compile(
                    secret.length() < SHORTEST_INSIDE_WORDS ? "(?<![A-Za-z0-9])" + quoted + "(?![A-Za-z0-9])" : quoted);
        }

        /** Returns the words of a command in one line. */
        String of(List<String> words) {
            return words.stream().map(this::hide).map(CommandText::quote).collect(Collectors.joining(" "));
        }

        private String hide(String word) {
            var hidden = word;
            for (var secret : secrets) {
                hidden = secret.matcher(hidden).replaceAll(HIDDEN);
            }
            return NAMED_VALUE.matcher(hidden).replaceAll("$1" + HIDDEN);
        }

        private static String quote(String word) {
            return PLAIN_WORD.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
        }
    }
}
