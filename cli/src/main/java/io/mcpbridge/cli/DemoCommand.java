package io.mcpbridge.cli;

import io.mcpbridge.cli.demo.Demo;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mcp-bridge demo}: runs and checks the main functions end to end. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description =
                "Runs the bridge with built-in servers and checks the results; exit code 0 only if all checks passed.")
final class DemoCommand implements Callable<Integer> {

    @Mixin
    private Output output;

    @Override
    public Integer call() throws Exception {
        // The checks report failures; the log would only repeat those that the demo causes on purpose.
        Logging.show(Level.OFF);
        return SignalInterrupt.during(() -> new Demo(output::styled).run() ? ExitCode.OK : ExitCode.TOOL_ERROR);
    }
}
