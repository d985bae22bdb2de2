package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Principal;
import io.mcpbridge.engine.ClientStatus;
import io.mcpbridge.engine.ManagedServerStatus;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.SandboxLevel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The bytes of the answers of the administrative socket, on which programs rely. */
class AdminJsonTest {
    private static final Instant SINCE = Instant.parse("2026-01-02T03:04:05.006Z");
    private static final Instant LATER = Instant.parse("2026-01-03T00:00:00Z");
    private static final List<GaugeReading> READINGS =
            List.of(new GaugeReading("breaker.state", 1, "open \"x\"\n"), new GaugeReading("quota.left", 2.5, ""));

    @Test
    void healthOfAFailingDaemonHasAllMembers() {
        var github = new ManagedServerHealth(
                "github", "degraded", SINCE, "it broke", Optional.of(LATER), Optional.of(SandboxLevel.L2), 4, READINGS);
        var health = new BridgeHealth(
                "degraded",
                "serving",
                "1.2.3",
                4711,
                SINCE,
                2,
                1,
                3,
                4,
                5,
                Optional.of(LATER),
                6,
                List.of("unix:/run/b.sock", "http://127.0.0.1:1"),
                List.of("server 'github' failed"),
                new AuditHealth("file", "required", "disk full", true, 7, Optional.of(LATER)),
                new DefaultSandboxLevel("L1", "no bwrap"),
                ReloadStatus.refused("wrong", LATER),
                List.of(github));

        var json = AdminJson.write(health);

        assertThat(json).isEqualTo("""
            {"status":"degraded","phase":"serving","version":"1.2.3","pid":4711,"since":"2026-01-02T03:04:05.006Z",\
            "servers":2,"serversUnhealthy":1,"clients":3,"callsInFlight":4,"suspendedCalls":5,\
            "oldestSuspended":"2026-01-03T00:00:00Z","lapsedCalls":6,\
            "listeners":["unix:/run/b.sock","http://127.0.0.1:1"],"lastErrors":["server 'github' failed"],\
            "audit":{"sink":"file","mode":"required","error":"disk full","stopsCalls":true,"lost":7,\
            "lostSince":"2026-01-03T00:00:00Z"},"sandbox":{"level":"L1","remark":"no bwrap"},\
            "reload":{"error":"wrong","refusedAt":"2026-01-03T00:00:00Z"},\
            "conditions":{"github":{"state":"degraded","since":"2026-01-02T03:04:05.006Z","error":"it broke",\
            "errorAt":"2026-01-03T00:00:00Z","sandbox":"L2","restarts":4,\
            "readings":{"breaker.state":{"value":1.0,"words":"open \\"x\\"\\u000a"},\
            "quota.left":{"value":2.5,"words":""}}}}}""");
        assertThat(AdminJson.read(BridgeHealth.class, json)).isEqualTo(health);
    }

    @Test
    void healthOfAFreshDaemonOmitsAbsentMembers() {
        var idle = new ManagedServerHealth("idle", "idle", SINCE, "", Optional.empty(), Optional.empty(), 0, List.of());
        var health = new BridgeHealth(
                "healthy",
                "serving",
                "1.2.3",
                1,
                SINCE,
                1,
                0,
                0,
                0,
                0,
                Optional.empty(),
                0,
                List.of(),
                List.of(),
                new AuditHealth("noop", "off", "", false, 0, Optional.empty()),
                new DefaultSandboxLevel("L0", ""),
                ReloadStatus.APPLIED,
                List.of(idle));

        var json = AdminJson.write(health);

        assertThat(json).isEqualTo("""
            {"status":"healthy","phase":"serving","version":"1.2.3","pid":1,"since":"2026-01-02T03:04:05.006Z",\
            "servers":1,"serversUnhealthy":0,"clients":0,"callsInFlight":0,"suspendedCalls":0,"oldestSuspended":"",\
            "lapsedCalls":0,"listeners":[],"lastErrors":[],\
            "audit":{"sink":"noop","mode":"off","error":"","stopsCalls":false,"lost":0},\
            "sandbox":{"level":"L0","remark":""},"reload":{"error":""},\
            "conditions":{"idle":{"state":"idle","since":"2026-01-02T03:04:05.006Z","error":"","errorAt":"",\
            "restarts":0,"readings":{}}}}""");
        assertThat(AdminJson.read(BridgeHealth.class, json)).isEqualTo(health);
    }

    @Test
    void unconnectedServerHasNoEra() {
        var servers = List.of(new ManagedServerStatus(
                "idle",
                "unix",
                "idle",
                SINCE,
                "",
                Optional.empty(),
                "",
                OptionalLong.empty(),
                Optional.empty(),
                "",
                "",
                "",
                "",
                Optional.empty(),
                Optional.empty(),
                0,
                0,
                0,
                0,
                List.of(),
                0,
                ManagedServerStatus.Latency.NONE,
                Optional.empty(),
                List.of()));

        var json = AdminJson.write(new AdminJson.Servers(servers));

        assertThat(json).isEqualTo("""
            {"servers":{"idle":{"type":"unix","state":"idle","since":"2026-01-02T03:04:05.006Z","error":"",\
            "errorAt":"","address":"","serverName":"","serverVersion":"","protocol":"","era":"","sessions":0,\
            "connections":0,"callsInFlight":0,"dropped":0,"remarks":[],"restarts":0,\
            "latencyMicros":{"calls":0,"p50":0,"p95":0,"p99":0},"readings":{}}}}""");
        assertThat(AdminJson.read(AdminJson.Servers.class, json).servers()).isEqualTo(servers);
    }

    @Test
    void connectedServerHasAllMembers() {
        var latency = new ManagedServerStatus.Latency(9, micros(10), micros(20), micros(30));
        var servers = List.of(new ManagedServerStatus(
                "github",
                "stdio",
                "degraded",
                SINCE,
                "it broke",
                Optional.of(LATER),
                "npx github",
                OptionalLong.of(4711),
                Optional.of(SandboxLevel.L1),
                "GitHub",
                "7",
                "2026-07-28",
                "modern",
                Optional.of("discovered"),
                Optional.of(LATER),
                1,
                2,
                3,
                4,
                List.of("cut"),
                5,
                latency,
                Optional.of(micros(40)),
                READINGS));

        var json = AdminJson.write(new AdminJson.Servers(servers));

        assertThat(json).isEqualTo("""
            {"servers":{"github":{"type":"stdio","state":"degraded","since":"2026-01-02T03:04:05.006Z",\
            "error":"it broke","errorAt":"2026-01-03T00:00:00Z","address":"npx github","pid":4711,"sandbox":"L1",\
            "serverName":"GitHub","serverVersion":"7","protocol":"2026-07-28","era":"modern",\
            "eraShownBy":"discovered","eraSince":"2026-01-03T00:00:00Z","sessions":1,"connections":2,\
            "callsInFlight":3,"dropped":4,"remarks":["cut"],"restarts":5,\
            "latencyMicros":{"calls":9,"p50":10,"p95":20,"p99":30},"pingMicros":40,\
            "readings":{"breaker.state":{"value":1.0,"words":"open \\"x\\"\\u000a"},\
            "quota.left":{"value":2.5,"words":""}}}}}""");
        assertThat(AdminJson.read(AdminJson.Servers.class, json).servers()).isEqualTo(servers);
    }

    @Test
    void clientsAreKeyedByTheirSession() {
        var clients = List.of(new ClientStatus(
                "s-1",
                "desk-1",
                "desktop",
                "9",
                "2025-11-25",
                "legacy",
                "4711",
                List.of("mcp/1.0"),
                new Principal("ada", "peer-credentials"),
                "unix",
                "unix:/run/b.sock",
                SINCE,
                2));

        var json = AdminJson.write(new AdminJson.Clients(clients));

        assertThat(json).isEqualTo("""
            {"clients":{"s-1":{"clientId":"desk-1","name":"desktop","version":"9","protocol":"2025-11-25",\
            "era":"legacy","processId":"4711","protocols":["mcp/1.0"],"user":"ada","proof":"peer-credentials",\
            "network":"unix","address":"unix:/run/b.sock","since":"2026-01-02T03:04:05.006Z","callsInFlight":2}}}""");
        assertThat(AdminJson.read(AdminJson.Clients.class, json).clients()).isEqualTo(clients);
    }

    @Test
    void missingMembersGetDefaults() {
        var client = AdminJson.read(AdminJson.Clients.class, "{\"clients\":{\"s-1\":{}}}")
                .clients()
                .get(0);
        var server = AdminJson.read(AdminJson.Servers.class, "{\"servers\":{\"a\":{\"sandbox\":\"L9\"}}}")
                .servers()
                .get(0);

        assertThat(client.principal()).isEqualTo(new Principal("unknown", "none"));
        assertThat(client.since()).isEqualTo(Instant.EPOCH);
        assertThat(server.sandbox()).isEmpty();
        assertThat(server.pid()).isEmpty();
        assertThat(AdminJson.read(BridgeHealth.class, "{}").conditions()).isEmpty();
    }

    private static Duration micros(long count) {
        return Duration.ofNanos(1_000 * count);
    }
}
