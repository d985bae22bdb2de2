package io.mcpbridge.cli;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.SocketLocation;
import io.mcpbridge.routing.Plugins;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mcp-bridge check}: reads the configuration as the daemon would and says what it found. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = "Checks the configuration without starting anything.")
final class CheckCommand implements Callable<Integer> {

    @Mixin
    private ConfigurationOption file;

    @Mixin
    private Output output;

    @Override
    public Integer call() {
        var path = file.path();
        var configuration = BridgeConfiguration.read(path, System.getenv());
        var plugins = Plugins.found();
        output.styled("@|green ok|@  " + path);
        configuration.remarks().forEach(remark -> output.styled("@|yellow odd|@ " + Table.printable(remark)));
        plugins.transports().problems().forEach(problem -> output.styled("@|yellow odd|@ " + problem));
        var table = new Table("SERVER", "TRANSPORT", "START", "TIMEOUT", "");
        configuration
                .servers()
                .forEach(server -> table.row(
                        server.name(),
                        plugins.transports().named(server.type()).name(),
                        server.startsEagerly() ? "eager" : "lazy",
                        server.timeout().toMillis() + " ms",
                        server.enabled() ? "" : "disabled"));
        table.lines().forEach(output::line);
        output.line("listeners: "
                + (configuration.bridge().listeners().isEmpty()
                        ? "unix (default)"
                        : configuration.bridge().listeners().keySet()));
        output.line("socket:    " + SocketLocation.in(System.getenv()).ofDaemon());
        return ExitCode.OK;
    }
}
