package io.mcpbridge.cli;

import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.gateway.AuditHealth;
import io.mcpbridge.gateway.BridgeHealth;
import io.mcpbridge.gateway.DefaultSandboxLevel;
import io.mcpbridge.gateway.ManagedServerHealth;
import io.mcpbridge.gateway.ReloadStatus;
import io.mcpbridge.spi.GaugeReading;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mcp-bridge health}: shows the health of the daemon and its servers. */
@Command(
        name = "health",
        mixinStandardHelpOptions = true,
        description = "Shows the health of the daemon. Exit code 0 only if all servers are healthy.")
final class HealthCommand implements Callable<Integer> {

    @Mixin
    private AdminOptions admin = new AdminOptions();

    @Mixin
    private Output output;

    HealthCommand(Output output) {
        this.output = output;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (var daemon = admin.connect()) {
            var report = new HealthReport(daemon.health());
            if (admin.isRaw()) {
                output.json(daemon.ask("bridge/health"));
            } else {
                output.styled(report.headline());
                report.lines().forEach(output::line);
            }
            return report.isHealthy() ? ExitCode.OK : ExitCode.TOOL_ERROR;
        }
    }

    /** Formats the health of a daemon for people: first the daemon, then its servers, unhealthy ones with details. */
    record HealthReport(BridgeHealth health) {
        private static final String INDENT = "  ";

        boolean isHealthy() {
            return health.status().equals("healthy");
        }

        /** The first line, with picocli's markup. */
        String headline() {
            return "@|%s %s|@, %s since %s"
                    .formatted(
                            isHealthy() ? "green" : "red",
                            health.status(),
                            health.phase(),
                            DisplayFormatter.moment(health.since()));
        }

        List<String> lines() {
            var daemon = Stream.of(
                    "version %s, pid %d".formatted(health.version(), health.pid()),
                    "servers %d, %d of them unhealthy".formatted(health.servers(), health.serversUnhealthy()),
                    "clients %d, calls in flight %d".formatted(health.clients(), health.callsInFlight()),
                    "calls suspended %d, lapsed %d%s"
                            .formatted(health.suspendedCalls(), health.lapsedCalls(), oldestSuspended()));
            var addresses = health.listeners().stream().map(address -> "listens " + address);
            var audit = Stream.of(health.audit())
                    .filter(each -> !each.mode().isEmpty())
                    .map(HealthReport::audit);
            var sandbox = Stream.of(health.sandbox())
                    .filter(each -> !each.level().isEmpty())
                    .map(HealthReport::sandbox);
            var reload = Stream.of(health.reload())
                    .filter(each -> !each.error().isEmpty())
                    .map(HealthReport::reload);
            var servers = health.conditions().stream().flatMap(HealthReport::server);
            return Stream.of(daemon, addresses, audit, sandbox, reload, servers)
                    .flatMap(each -> each)
                    .toList();
        }

        private String oldestSuspended() {
            return health.oldestSuspended()
                    .map(since -> ", the oldest since " + DisplayFormatter.moment(since))
                    .orElse("");
        }

        private static String audit(AuditHealth audit) {
            var error = audit.error().isEmpty() ? "" : ", error: " + VisibleText.line(audit.error());
            return audit.mode().equals("off")
                    ? "audit off"
                    : "audit %s, sink %s%s%s".formatted(audit.mode(), audit.sink(), error, lost(audit));
        }

        private static String lost(AuditHealth audit) {
            return audit.lostSince()
                    .map(since -> ", %d records lost since %s".formatted(audit.lost(), DisplayFormatter.moment(since)))
                    .orElse("");
        }

        private static String sandbox(DefaultSandboxLevel sandbox) {
            var remark = sandbox.remark().isEmpty() ? "" : "; " + VisibleText.of(sandbox.remark());
            return "sandbox %s%s".formatted(sandbox.level(), remark);
        }

        private static String reload(ReloadStatus reload) {
            var at = reload.refusedAt()
                    .map(moment -> " at " + DisplayFormatter.moment(moment))
                    .orElse("");
            return "reload refused%s, the old configuration stays: %s".formatted(at, VisibleText.line(reload.error()));
        }

        private static Stream<String> server(ManagedServerHealth server) {
            var level = server.sandbox().map(found -> ", sandbox " + found).orElse("");
            var state = "server '%s' %s since %s, restarts %d%s"
                    .formatted(
                            server.name(),
                            server.state(),
                            DisplayFormatter.moment(server.since()),
                            server.restarts(),
                            level);
            var error = server.error().isEmpty() ? Stream.<String>empty() : Stream.of(INDENT + error(server));
            var readings = server.readings().stream()
                    .filter(reading -> server.isUnhealthy() || DisplayFormatter.isQuarantine(reading))
                    .filter(HealthReport::isWorthShowing);
            return Stream.of(Stream.of(state), error, readings.map(reading -> INDENT + text(reading)))
                    .flatMap(each -> each);
        }

        /** Escaped: text of peers must not move the cursor of a terminal. */
        private static String error(ManagedServerHealth server) {
            var at = server.errorAt()
                    .map(moment -> " at " + DisplayFormatter.moment(moment))
                    .orElse("");
            return "last error%s: %s".formatted(at, VisibleText.line(server.error()));
        }

        /** Values of zero, and -1 for none, are for programs only, unless words explain them. */
        private static boolean isWorthShowing(GaugeReading reading) {
            return !reading.words().isEmpty() || reading.value() > 0;
        }

        private static String text(GaugeReading reading) {
            var value = reading.words().isEmpty() ? DisplayFormatter.number(reading.value()) : reading.words();
            return "%s: %s".formatted(reading.name(), VisibleText.line(value));
        }
    }
}
