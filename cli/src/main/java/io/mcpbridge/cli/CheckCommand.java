package io.mcpbridge.cli;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.RetrySettings;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.config.ToolSettings;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.routing.Plugins;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.ListenerProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mcp-bridge check}: reads the configuration as the daemon would, to the last key, and says what it found. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = "Checks the configuration without starting or connecting anything.")
final class CheckCommand implements Callable<Integer> {

    @Mixin
    private ConfigurationOption file;

    @Mixin
    private Output output;

    @Override
    public Integer call() {
        var path = file.path();
        var configuration = BridgeConfiguration.read(path, System.getenv());
        var mistakes = mistakes(configuration);
        if (!mistakes.isEmpty()) {
            throw ConfigurationException.ofAll(
                    mistakes.stream().map(mistake -> path + ": " + mistake).toList());
        }
        output.styled("@|green ok|@  " + path);
        configuration.warnings().forEach(warning -> output.styled("@|yellow odd|@ " + Table.printable(warning)));
        print(configuration);
        return ExitCode.OK;
    }

    /** What only the transports and listeners know: each is made from its section and thrown away. */
    private static List<String> mistakes(BridgeConfiguration configuration) {
        var mistakes = new ArrayList<String>();
        try (var environment = StandardEnvironment.open()) {
            var plugins = Plugins.found();
            configuration.servers().stream()
                    .filter(ServerSettings::enabled)
                    .forEach(server -> collect(mistakes, () -> make(plugins, server, environment.environment())));
            var listeners = Providers.of(ListenerProvider.class);
            configuration
                    .bridge()
                    .listeners()
                    .forEach((name, section) -> collect(
                            mistakes,
                            () -> listeners
                                    .named(name)
                                    .create(section, environment.environment())
                                    .close()));
        }
        return mistakes;
    }

    private static void make(Plugins plugins, ServerSettings server, Environment environment) {
        Stream.concat(
                        Stream.of(server.retry()),
                        server.tools().values().stream().map(ToolSettings::retry))
                .map(RetrySettings::policy)
                .filter(policy -> !policy.isEmpty())
                .forEach(plugins::retryPolicy);
        plugins.check(server, environment);
    }

    private static void collect(List<String> mistakes, Runnable making) {
        try {
            making.run();
        } catch (ConfigurationException wrong) {
            mistakes.addAll(wrong.problems());
        }
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
                        server.enabled() ? "" : "disabled"));
        table.lines().forEach(output::line);
        var listeners = configuration.bridge().listeners().keySet();
        output.line("listeners: " + (listeners.isEmpty() ? "unix" : String.join(", ", listeners)));
    }
}
