package io.mcpbridge.cli;

import io.mcpbridge.engine.BridgeVersion;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mcp-bridge version}: prints the version. */
@Command(name = "version", mixinStandardHelpOptions = true, description = "Prints the version.")
final class VersionCommand implements Callable<Integer> {

    @Option(names = "--plugins", description = "List the providers found, and the jars of plug-ins.")
    private boolean listsPlugins;

    @Mixin
    private Output output;

    VersionCommand(Output output) {
        this.output = output;
    }

    @Override
    public Integer call() {
        for (var line : lines()) {
            output.line(line);
        }
        if (!listsPlugins) {
            return ExitCode.OK;
        }
        var report = PluginReport.ofClassPath();
        report.lines().forEach(output::line);
        report.problems().forEach(problem -> output.error("mcp-bridge: " + problem));
        return report.problems().isEmpty() ? ExitCode.OK : ExitCode.USAGE;
    }

    /** The version lines, also for {@code --version}. */
    static String[] lines() {
        return new String[] {
            "mcp-bridge " + BridgeVersion.CURRENT,
            "Java " + System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")"
        };
    }
}
