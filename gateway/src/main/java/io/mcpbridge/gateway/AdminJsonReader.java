package io.mcpbridge.gateway;

import io.mcpbridge.call.Principal;
import io.mcpbridge.engine.session.ClientStatus;
import io.mcpbridge.engine.upstream.UpstreamStatus.Statistics;
import io.mcpbridge.engine.upstream.connection.LatencyStats;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Parses the results of the administrative socket. A missing member, as of an older daemon, gets a default. */
final class AdminJsonReader {

    private AdminJsonReader() {}

    static BridgeHealth health(String json) {
        var health = Settings.parse(json);
        return new BridgeHealth(
                health.text("status", ""),
                health.text("phase", ""),
                health.text("version", ""),
                health.integer("pid", 0),
                since(health),
                health.integer("servers", 0),
                health.integer("serversUnhealthy", 0),
                health.integer("clients", 0),
                health.integer("callsInFlight", 0),
                health.integer("suspendedCalls", 0),
                optionalTime(health, "oldestSuspended"),
                health.integer("lapsedCalls", 0),
                health.texts("listeners"),
                health.texts("lastErrors"),
                audit(health.section("audit")),
                sandbox(health.section("sandbox")),
                reload(health.section("reload")),
                health.sections("conditions").entrySet().stream()
                        .map(entry -> serverHealth(entry.getKey(), entry.getValue()))
                        .toList());
    }

    private static AuditHealth audit(Settings audit) {
        return new AuditHealth(
                audit.text("sink", ""),
                audit.text("mode", ""),
                audit.text("error", ""),
                audit.flag("stopsCalls", false),
                audit.integer("lost", 0),
                optionalTime(audit, "lostSince"));
    }

    private static SandboxStatus sandbox(Settings sandbox) {
        return new SandboxStatus(sandbox.text("level", ""), sandbox.text("remark", ""));
    }

    private static ReloadStatus reload(Settings reload) {
        return new ReloadStatus(reload.text("error", ""), optionalTime(reload, "refusedAt"));
    }

    private static ManagedServerHealth serverHealth(String name, Settings server) {
        return new ManagedServerHealth(
                name,
                server.text("state", ""),
                since(server),
                server.text("error", ""),
                optionalTime(server, "errorAt"),
                level(server),
                server.integer("restarts", 0),
                ServerMetricsReader.readings(server.sections("readings")));
    }

    static List<ManagedServerStatus> servers(String json) {
        return Settings.parse(json).sections("servers").entrySet().stream()
                .map(entry -> server(entry.getKey(), entry.getValue()))
                .toList();
    }

    static List<ClientStatus> clients(String json) {
        return Settings.parse(json).sections("clients").entrySet().stream()
                .map(entry -> client(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static ManagedServerStatus server(String name, Settings server) {
        return new ManagedServerStatus(
                name,
                server.text("type", ""),
                server.text("state", ""),
                since(server),
                server.text("error", ""),
                optionalTime(server, "errorAt"),
                server.text("address", ""),
                server.has("pid") ? OptionalLong.of(server.integer("pid", 0)) : OptionalLong.empty(),
                level(server),
                server.text("serverName", ""),
                server.text("serverVersion", ""),
                server.text("protocol", ""),
                server.text("era", ""),
                server.text("eraShownBy", ""),
                time(server, "eraSince"),
                server.integer("sessions", 0),
                server.integer("connections", 0),
                server.integer("callsInFlight", 0),
                server.integer("dropped", 0),
                server.texts("remarks"),
                ServerMetricsReader.of(server));
    }

    /** Empty for an unknown level, as of a newer daemon. */
    private static Optional<SandboxLevel> level(Settings server) {
        return Stream.of(SandboxLevel.values())
                .filter(level -> server.text("sandbox", "").equals(level.name()))
                .findFirst();
    }

    private static ClientStatus client(String session, Settings client) {
        return new ClientStatus(
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
        return time(section, "since");
    }

    /** A time that may be absent or the empty string. */
    private static Optional<Instant> optionalTime(Settings section, String key) {
        return section.text(key).filter(text -> !text.isEmpty()).map(Instant::parse);
    }

    private static Instant time(Settings section, String key) {
        return section.text(key).map(Instant::parse).orElse(Instant.EPOCH);
    }

    /** Parses the measurements of one server from the administrative socket. A missing member gets a default. */
    private static final class ServerMetricsReader {

        private ServerMetricsReader() {}

        static ServerMetrics of(Settings server) {
            var shares = server.section("latencyMicros");
            var latency = new LatencyStats.Snapshot(
                    shares.integer("calls", 0), micros(shares, "p50"), micros(shares, "p95"), micros(shares, "p99"));
            var ping =
                    server.has("pingMicros") ? Optional.of(micros(server, "pingMicros")) : Optional.<Duration>empty();
            return new ServerMetrics(
                    new Statistics(latency, ping, server.integer("restarts", 0)),
                    readings(server.sections("readings")));
        }

        /** The readings of stages, by name. */
        static List<Reading> readings(Map<String, Settings> byName) {
            return byName.entrySet().stream()
                    .map(entry -> new Reading(
                            entry.getKey(),
                            entry.getValue().number("value", 0),
                            entry.getValue().text("words", "")))
                    .toList();
        }

        private static Duration micros(Settings section, String key) {
            return Duration.ofNanos(1_000L * section.integer(key, 0));
        }
    }
}
