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
            var health = daemon.health();
            var isHealthy = health.status().equals("healthy");
            if (admin.isRaw()) {
                output.line(daemon.ask("bridge/health"));
                return isHealthy ? ExitCode.OK : ExitCode.TOOL_ERROR;
            }
            output.styled("@|%s %s|@, %s since %s"
                    .formatted(
                            isHealthy ? "green" : "red",
                            health.status(),
                            health.phase(),
                            Shown.moment(health.since())));
            output.line("version %s, pid %d".formatted(health.version(), health.pid()));
            output.line("servers %d, %d of them in trouble".formatted(health.servers(), health.serversInTrouble()));
            output.line("clients %d, calls in flight %d".formatted(health.clients(), health.callsInFlight()));
            output.line("calls parked %d, lapsed %d%s"
                    .formatted(
                            health.parkedCalls(),
                            health.lapsedCalls(),
                            health.oldestParked()
                                    .map(since -> ", the oldest since " + Shown.moment(since))
                                    .orElse("")));
            health.lastErrors().forEach(error -> output.line("last error of " + error));
            health.listeners().forEach(address -> output.line("listens " + address));
            return isHealthy ? ExitCode.OK : ExitCode.TOOL_ERROR;
        }
    }
}
