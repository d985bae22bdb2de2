package io.mcpbridge.cli;

import io.mcpbridge.engine.BridgeVersion;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;

/** {@code mcp-bridge version}: prints the version. */
@Command(name = "version", mixinStandardHelpOptions = true, description = "Prints the version.")
final class VersionCommand implements Callable<Integer>, IVersionProvider {

    @Mixin
    private Output output;

    @Override
    public Integer call() {
        for (var line : getVersion()) {
            output.line(line);
        }
        return ExitCode.OK;
    }

    /** The version lines, also for {@code --version}. */
    @Override
    public String[] getVersion() {
        return new String[] {
            "mcp-bridge " + BridgeVersion.CURRENT,
            "Java " + System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")"
        };
    }
}
