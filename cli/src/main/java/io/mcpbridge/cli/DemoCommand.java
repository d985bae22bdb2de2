package io.mcpbridge.cli;

import io.mcpbridge.cli.demo.Demo;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mcp-bridge demo}: the main job, end to end, checked. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description =
                "Shows the bridge at work on servers of its own and checks what it shows; exit code 0 only if all of it held.")
final class DemoCommand implements Callable<Integer> {

    @Mixin
    private Output output;

    @Override
    public Integer call() throws IOException, InterruptedException {
        // Its checks tell what went wrong; the failures that it provokes would only clutter them.
        Logging.show(Level.OFF);
        return new Demo(output::styled).run() ? ExitCode.OK : ExitCode.TOOL_ERROR;
    }
}
