package io.mcpbridge.cli;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.gateway.ConfigurationCheck;
import io.mcpbridge.gateway.SandboxReport;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mcp-bridge check}: reads the configuration as the daemon would, to the last key, and says what it found. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = "Checks the configuration without starting or connecting any server.")
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
        output.styled("@|green ok|@  " + path);
        configuration.warnings().forEach(warning -> output.styled("@|yellow odd|@ " + Table.printable(warning)));
        Stream.of(sandbox.missing(), sandbox.raised())
                .flatMap(List::stream)
                .forEach(why -> output.styled("@|yellow odd|@ " + Table.printable(why)));
        print(configuration);
        print(sandbox);
        return ExitCode.OK;
    }

    /** What this machine can do, and the servers for which something else is said. */
    private void print(SandboxReport sandbox) {
        var usual = sandbox.condition().level();
        var others = new TreeMap<>(sandbox.servers());
        others.values().removeIf(level -> level.name().equals(usual));
        var remark = sandbox.condition().remark();
        output.line("sandbox: %s%s%s"
                .formatted(
                        usual,
                        others.isEmpty() ? "" : ", but " + others,
                        remark.isEmpty() ? "" : "; " + Table.printable(remark)));
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
        var listeners = configuration.bridge().listeners().keySet();
        output.line("listeners: " + (listeners.isEmpty() ? "unix" : String.join(", ", listeners)));
    }
}
