package io.mcpbridge.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mcp-bridge version}. */
@Command(name = "version", mixinStandardHelpOptions = true, description = "Prints the version.")
final class VersionCommand implements Callable<Integer> {

    @Mixin
    private Output output;

    @Override
    public Integer call() {
        for (var line : new VersionText().getVersion()) {
            output.line(line);
        }
        return ExitCode.OK;
    }
}
