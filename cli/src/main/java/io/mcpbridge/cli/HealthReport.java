package io.mcpbridge.cli;

import io.mcpbridge.gateway.AuditCondition;
import io.mcpbridge.gateway.BridgeHealth;
import io.mcpbridge.gateway.ReloadCondition;
import io.mcpbridge.gateway.SandboxCondition;
import io.mcpbridge.gateway.ServerCondition;
import io.mcpbridge.spi.Reading;
import java.util.List;
import java.util.stream.Stream;

/** How a daemon is, for people: first itself, then its servers, those in trouble with what shows why. */
final class HealthReport {
    private static final String INDENT = "  ";

    private final BridgeHealth health;

    HealthReport(BridgeHealth health) {
        this.health = health;
    }

    boolean isHealthy() {
        return health.status().equals("healthy");
    }

    /** The first line, with picocli's markup. */
    String headline() {
        return "@|%s %s|@, %s since %s"
                .formatted(
                        isHealthy() ? "green" : "red", health.status(), health.phase(), Shown.moment(health.since()));
    }

    List<String> lines() {
        var itself = Stream.of(
                "version %s, pid %d".formatted(health.version(), health.pid()),
                "servers %d, %d of them in trouble".formatted(health.servers(), health.serversInTrouble()),
                "clients %d, calls in flight %d".formatted(health.clients(), health.callsInFlight()),
                "calls parked %d, lapsed %d%s".formatted(health.parkedCalls(), health.lapsedCalls(), oldestParked()));
        var addresses = health.listeners().stream().map(address -> "listens " + address);
        var audit =
                Stream.of(health.audit()).filter(each -> !each.mode().isEmpty()).map(HealthReport::audit);
        var sandbox = Stream.of(health.sandbox())
                .filter(each -> !each.level().isEmpty())
                .map(HealthReport::sandbox);
        var reload = Stream.of(health.reload())
                .filter(each -> !each.trouble().isEmpty())
                .map(HealthReport::reload);
        var servers = health.conditions().stream().flatMap(HealthReport::server);
        return Stream.of(itself, addresses, audit, sandbox, reload, servers)
                .flatMap(each -> each)
                .toList();
    }

    private String oldestParked() {
        return health.oldestParked()
                .map(since -> ", the oldest since " + Shown.moment(since))
                .orElse("");
    }

    private static String audit(AuditCondition audit) {
        var trouble = audit.trouble().isEmpty() ? "" : ", in trouble: " + Table.printable(audit.trouble());
        return audit.mode().equals("off")
                ? "audit off"
                : "audit %s, sink %s%s%s".formatted(audit.mode(), audit.sink(), trouble, lost(audit));
    }

    private static String lost(AuditCondition audit) {
        return audit.lostSince()
                .map(since -> ", %d records lost since %s".formatted(audit.lost(), Shown.moment(since)))
                .orElse("");
    }

    private static String sandbox(SandboxCondition sandbox) {
        var remark = sandbox.remark().isEmpty() ? "" : "; " + Table.printable(sandbox.remark());
        return "sandbox %s%s".formatted(sandbox.level(), remark);
    }

    private static String reload(ReloadCondition reload) {
        var at = reload.refusedAt().map(moment -> " at " + Shown.moment(moment)).orElse("");
        return "reload refused%s, the configuration before stays: %s".formatted(at, Table.printable(reload.trouble()));
    }

    private static Stream<String> server(ServerCondition server) {
        var level = server.sandbox().map(found -> ", sandbox " + found).orElse("");
        var state = "server '%s' %s since %s, restarts %d%s"
                .formatted(server.name(), server.state(), Shown.moment(server.since()), server.restarts(), level);
        var error = server.error().isEmpty() ? Stream.<String>empty() : Stream.of(INDENT + error(server));
        var readings = server.readings().stream()
                .filter(reading -> server.isInTrouble() || Shown.isQuarantine(reading))
                .filter(HealthReport::saysSomething);
        return Stream.of(Stream.of(state), error, readings.map(reading -> INDENT + text(reading)))
                .flatMap(each -> each);
    }

    /** Words of peers, which must not move the cursor of a terminal. */
    private static String error(ServerCondition server) {
        var at = server.errorAt().map(moment -> " at " + Shown.moment(moment)).orElse("");
        return "last error%s: %s".formatted(at, Table.printable(server.error()));
    }

    /** That there is none of something is for programs. */
    private static boolean saysSomething(Reading reading) {
        return !reading.words().isEmpty() || reading.value() != 0;
    }

    private static String text(Reading reading) {
        var value = reading.words().isEmpty() ? Shown.number(reading.value()) : reading.words();
        return "%s: %s".formatted(reading.name(), Table.printable(value));
    }
}
