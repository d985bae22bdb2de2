package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.gateway.AuditHealth;
import io.mcpbridge.gateway.BridgeHealth;
import io.mcpbridge.gateway.DefaultSandboxLevel;
import io.mcpbridge.gateway.ManagedServerHealth;
import io.mcpbridge.gateway.ReloadStatus;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.SandboxLevel;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HealthReportTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LOST = Instant.parse("2026-01-02T03:00:00.5Z");

    @Test
    void healthyServerIsPrintedInOneLine() {
        var report = report("healthy", server("healthy", "", List.of(new GaugeReading("breaker.state", 0, "closed"))));

        assertThat(report.isHealthy()).isTrue();
        assertThat(report.headline()).isEqualTo("@|green healthy|@, serving since 2026-01-01T00:00:00Z");
        assertThat(report.lines())
                .containsExactly(
                        "version 1.2.3, pid 4711",
                        "servers 1, 0 of them unhealthy",
                        "clients 2, calls in flight 3",
                        "calls suspended 0, lapsed 0",
                        "listens unix:/run/b.sock",
                        "audit best-effort, sink file",
                        "sandbox L1; no bwrap",
                        "server 'github' healthy since 2026-01-02T03:00:00Z, restarts 4");
    }

    @Test
    void quarantinedToolsAreNamedForAHealthyServerToo() {
        var readings = List.of(
                new GaugeReading("breaker.state", 0, "closed"),
                new GaugeReading("catalog.quarantined", 1, "not listed: 'send'"));

        var report = report("healthy", server("healthy", "", readings));

        assertThat(report.lines())
                .endsWith(
                        "server 'github' healthy since 2026-01-02T03:00:00Z, restarts 4",
                        "  catalog.quarantined: not listed: 'send'");
    }

    @Test
    void unhealthyServerIsShownWithItsReason() {
        var readings = List.of(
                new GaugeReading("breaker.state", 1, "open for 4000 ms more: timed out"),
                new GaugeReading("quota.left", 7, ""),
                new GaugeReading("sessions.kinds", 0, ""),
                new GaugeReading("log.level", -1, ""));

        var report = report("unavailable", server("degraded", "it broke", readings));

        assertThat(report.isHealthy()).isFalse();
        assertThat(report.lines())
                .endsWith(
                        "server 'github' degraded since 2026-01-02T03:00:00Z, restarts 4",
                        "  last error at 2026-01-02T03:00:00Z: it broke",
                        "  breaker.state: open for 4000 ms more: timed out",
                        "  quota.left: 7");
    }

    @Test
    void sandboxLevelOfAChildIsShown() {
        var child = new ManagedServerHealth(
                "github", "healthy", LOST, "", Optional.empty(), Optional.of(SandboxLevel.L2), 4, List.of());

        assertThat(report("healthy", child).lines())
                .endsWith("server 'github' healthy since 2026-01-02T03:00:00Z, restarts 4, sandbox L2");
    }

    @Test
    void rejectedReloadIsShownWithItsReason() {
        var refused = new ReloadStatus("line 2: 'mcpServers.tool' is 7\nline 3: no", Optional.of(LOST));

        assertThat(report("healthy", server("healthy", "", List.of()), refused).lines())
                .contains("reload refused at 2026-01-02T03:00:00Z, the old configuration stays: line 2:"
                        + " 'mcpServers.tool' is 7 | line 3: no");
    }

    @Test
    void terminalSequencesOfPeersAreEscaped() {
        var report = report("unavailable", server("unavailable", "a\u001b[2Jb", List.of()));

        assertThat(report.lines()).last().asString().endsWith("a\\u{1b}[2Jb");
    }

    private static ManagedServerHealth server(String state, String error, List<GaugeReading> readings) {
        var errorAt = error.isEmpty() ? Optional.<Instant>empty() : Optional.of(LOST);
        return new ManagedServerHealth("github", state, LOST, error, errorAt, Optional.empty(), 4, readings);
    }

    private static HealthCommand.HealthReport report(String status, ManagedServerHealth server) {
        return report(status, server, new ReloadStatus("", Optional.empty()));
    }

    private static HealthCommand.HealthReport report(String status, ManagedServerHealth server, ReloadStatus reload) {
        return new HealthCommand.HealthReport(new BridgeHealth(
                status,
                "serving",
                "1.2.3",
                4711,
                START,
                1,
                server.isUnhealthy() ? 1 : 0,
                2,
                3,
                0,
                Optional.empty(),
                0,
                List.of("unix:/run/b.sock"),
                List.of(),
                new AuditHealth("file", "best-effort", "", false, 0, Optional.empty()),
                new DefaultSandboxLevel("L1", "no bwrap"),
                reload,
                List.of(server)));
    }
}
