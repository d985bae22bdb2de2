package io.mcpbridge.gateway;

import io.mcpbridge.call.Principal;
import io.mcpbridge.downstream.registry.ClientRecord;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Reads the answers of the administrative socket; members that an older or newer daemon lacks keep a default. */
final class AdminReading {

    private AdminReading() {}

    static BridgeHealth health(String json) {
        var health = Settings.parse(json);
        return new BridgeHealth(
                health.text("status", ""),
                health.text("phase", ""),
                health.text("version", ""),
                health.integer("pid", 0),
                since(health),
                health.integer("servers", 0),
                health.integer("serversInTrouble", 0),
                health.integer("clients", 0),
                health.integer("callsInFlight", 0),
                health.integer("parkedCalls", 0),
                written(health, "oldestParked"),
                health.integer("lapsedCalls", 0),
                health.texts("listeners"),
                health.texts("lastErrors"),
                audit(health.section("audit")),
                sandbox(health.section("sandbox")),
                reload(health.section("reload")),
                health.sections("conditions").entrySet().stream()
                        .map(entry -> condition(entry.getKey(), entry.getValue()))
                        .toList());
    }

    private static AuditCondition audit(Settings audit) {
        return new AuditCondition(
                audit.text("sink", ""),
                audit.text("mode", ""),
                audit.text("trouble", ""),
                audit.flag("stopsCalls", false),
                audit.integer("lost", 0),
                written(audit, "lostSince"));
    }

    private static SandboxCondition sandbox(Settings sandbox) {
        return new SandboxCondition(sandbox.text("level", ""), sandbox.text("remark", ""));
    }

    private static ReloadCondition reload(Settings reload) {
        return new ReloadCondition(reload.text("trouble", ""), written(reload, "refusedAt"));
    }

    private static ServerCondition condition(String name, Settings server) {
        return new ServerCondition(
                name,
                server.text("state", ""),
                since(server),
                server.text("error", ""),
                written(server, "errorAt"),
                level(server),
                server.integer("restarts", 0),
                FiguresReading.readings(server.sections("readings")));
    }

    static List<ServerRecord> servers(String json) {
        return Settings.parse(json).sections("servers").entrySet().stream()
                .map(entry -> server(entry.getKey(), entry.getValue()))
                .toList();
    }

    static List<ClientRecord> clients(String json) {
        return Settings.parse(json).sections("clients").entrySet().stream()
                .map(entry -> client(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static ServerRecord server(String name, Settings server) {
        return new ServerRecord(
                name,
                server.text("type", ""),
                server.text("state", ""),
                since(server),
                server.text("error", ""),
                written(server, "errorAt"),
                server.text("address", ""),
                server.has("pid") ? OptionalLong.of(server.integer("pid", 0)) : OptionalLong.empty(),
                level(server),
                server.text("serverName", ""),
                server.text("serverVersion", ""),
                server.text("protocol", ""),
                server.text("era", ""),
                server.text("eraShownBy", ""),
                moment(server, "eraSince"),
                server.integer("sessions", 0),
                server.integer("connections", 0),
                server.integer("callsInFlight", 0),
                server.integer("dropped", 0),
                server.texts("remarks"),
                FiguresReading.of(server));
    }

    /** A newer daemon may have levels that are not known here. */
    private static Optional<SandboxLevel> level(Settings server) {
        return Stream.of(SandboxLevel.values())
                .filter(level -> server.text("sandbox", "").equals(level.name()))
                .findFirst();
    }

    private static ClientRecord client(String session, Settings client) {
        return new ClientRecord(
                session,
                client.text("clientId", ""),
                client.text("name", ""),
                client.text("version", ""),
                client.text("protocol", ""),
                client.text("era", ""),
                client.text("processId", ""),
                client.texts("protocols"),
                new Principal(client.text("user", "unknown"), client.text("proof", "none")),
                client.text("network", ""),
                client.text("address", ""),
                since(client),
                client.integer("callsInFlight", 0));
    }

    private static Instant since(Settings section) {
        return moment(section, "since");
    }

    /** A moment that may be absent or the empty string. */
    private static Optional<Instant> written(Settings section, String key) {
        return section.text(key).filter(text -> !text.isEmpty()).map(Instant::parse);
    }

    private static Instant moment(Settings section, String key) {
        return section.text(key).map(Instant::parse).orElse(Instant.EPOCH);
    }
}
