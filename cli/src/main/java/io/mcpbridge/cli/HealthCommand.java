package io.mcpbridge.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mcp-bridge health}: whether the daemon and its servers are well. */
@Command(
        name = "health",
        mixinStandardHelpOptions = true,
        description = "Says how the daemon is. Exit code 0 only if no server is in trouble.")
final class HealthCommand implements Callable<Integer> {

    @Mixin
    private AdminOption admin;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws InterruptedException {
        try (var daemon = admin.connect()) {
            var report = new HealthReport(daemon.health());
            if (admin.isRaw()) {
                output.line(daemon.ask("bridge/health"));
            } else {
                output.styled(report.headline());
                report.lines().forEach(output::line);
            }
            return report.isHealthy() ? ExitCode.OK : ExitCode.TOOL_ERROR;
        }
    }
}
