package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.call.Principal;
import io.mcpbridge.engine.ClientStatus;
import io.mcpbridge.engine.ManagedServerStatus;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingAcceptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The administrative socket: its content and its access control. */
@Timeout(60)
class AdminTest {
    private final ToolScript script = new ToolScript("tool", "echo", "hang");
    private final DaemonFixture fixture;

    AdminTest() throws Exception {
        fixture = new DaemonFixture();
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void adminHealthEqualsThatOfTheDaemon() throws Exception {
        fixture.unix("tool", script);
        fixture.server("odd", "{\"type\": \"pigeon\"}");
        var daemon = fixture.start();

        try (var admin = DaemonClient.connect(fixture.adminSocket())) {
            assertThat(admin.health()).isEqualTo(daemon.health());
            assertThat(admin.health().status()).isEqualTo("degraded");
            assertThat(admin.health().listeners()).hasSize(2);
            assertThat(admin.health().pid()).isEqualTo(ProcessHandle.current().pid());
        }
    }

    @Test
    void adminServersEqualThoseOfTheDaemon() throws Exception {
        fixture.unix("tool", script);
        fixture.child("child", "echo");
        fixture.server("odd", "{\"type\": \"pigeon\"}");
        var daemon = fixture.start();
        fixture.client("one").toolNames();

        try (var admin = DaemonClient.connect(fixture.adminSocket())) {
            assertThat(AdminJson.write(new AdminJson.Servers(admin.servers())))
                    .isEqualTo(AdminJson.write(new AdminJson.Servers(daemon.servers())));
            assertThat(admin.servers()).extracting(ManagedServerStatus::name).containsExactly("tool", "child", "odd");
            assertThat(admin.servers().get(1).pid()).isPresent();
            assertThat(admin.servers().get(1).serverName()).isEqualTo("child");
        }
    }

    @Test
    void hangingServerShowsItsLastTimeout() throws Exception {
        var section = fixture.unix("tool", script).section();
        fixture.server("tool", section.substring(0, section.lastIndexOf('}')) + ", \"timeout\": \"2s\"}");
        fixture.start();
        assertThat(fixture.client("one").call("tool__hang", "{}").isError()).isTrue();

        try (var admin = DaemonClient.connect(fixture.adminSocket())) {
            var server = admin.servers().get(0);

            assertThat(server.state()).isEqualTo("healthy");
            assertThat(server.error()).contains("'tools/call' to server 'tool' timed out after 2000 ms");
            assertThat(server.errorAt()).hasValueSatisfying(at -> assertThat(at).isAfterOrEqualTo(server.since()));
            assertThat(admin.health().lastErrors())
                    .singleElement()
                    .asString()
                    .startsWith("server 'tool' at 20")
                    .contains("timed out");
        }
    }

    @Test
    void healthShowsWhyABreakerIsOpen() throws Exception {
        var section = fixture.unix("tool", script).section();
        fixture.server(
                "tool",
                section.substring(0, section.lastIndexOf('}'))
                        + ", \"timeout\": \"2s\", \"breaker\": {\"consecutive\": 1, \"open-time\": \"1m\"}}");
        fixture.start();
        assertThat(fixture.client("one").call("tool__hang", "{}").isError()).isTrue();

        try (var admin = DaemonClient.connect(fixture.adminSocket())) {
            var health = admin.health();

            assertThat(health.status()).isEqualTo("unavailable");
            assertThat(health.conditions()).singleElement().satisfies(tool -> {
                assertThat(tool.name()).isEqualTo("tool");
                assertThat(tool.state()).isEqualTo("degraded");
                assertThat(tool.isUnhealthy()).isTrue();
                assertThat(tool.error()).contains("circuit breaker open", "timed out");
                assertThat(tool.errorAt()).isPresent();
                assertThat(tool.restarts()).isZero();
                assertThat(tool.readings()).extracting(GaugeReading::name).contains("breaker.state", "retry.budget");
                assertThat(tool.readings()).extracting(GaugeReading::words).anyMatch(words -> words.startsWith("open"));
            });
            assertThat(admin.ask("bridge/health")).contains("\"conditions\":{\"tool\":{\"state\":\"degraded\"");
        }
    }

    @Test
    void statisticsOfAServerAreShown() throws Exception {
        fixture.unix("tool", script);
        fixture.start();
        fixture.client("one").call("tool__echo", "{}");

        try (var admin = DaemonClient.connect(fixture.adminSocket())) {
            var figures = admin.servers().get(0);

            assertThat(figures.latencyMicros().calls()).isPositive();
            assertThat(figures.latencyMicros().p50()).isPositive();
            assertThat(figures.restarts()).isZero();
            assertThat(figures.readings())
                    .extracting(GaugeReading::name)
                    .contains(
                            "retry.budget", "sessions.open", "sessions.kinds", "subscriptions.resources", "log.level");
        }
    }

    @Test
    void registryShowsConnectedClients() throws Exception {
        fixture.unix("tool", script);
        var daemon = fixture.start();
        var desktop =
                fixture.closeLater(LineClient.connect(fixture.unixAddress()).listen());
        desktop.answer(desktop.request(Methods.INITIALIZE, """
            {"processId": 4711, "capabilities": {}, "_meta": {"io.mcpbridge/clientId": "desk-1"},
             "clientInfo": {"name": "desktop", "version": "9", "protocols": ["mcp/1.0"]}}\
            """.replace("\n", "")));
        desktop.callLater("tool__hang", "{}");
        Eventually.holds("the call to arrive", () -> script.hanging() == 1);

        try (var admin = DaemonClient.connect(fixture.adminSocket())) {
            var clients = admin.clients();

            assertThat(clients).isEqualTo(daemon.clients());
            var user = Files.getOwner(fixture.folder).getName();
            assertThat(clients).singleElement().satisfies(client -> {
                assertThat(client.clientId()).isEqualTo("desk-1");
                assertThat(client.name()).isEqualTo("desktop");
                assertThat(client.processId()).isEqualTo("4711");
                assertThat(client.protocols()).containsExactly("mcp/1.0");
                assertThat(client.protocol()).isEqualTo("2024-11-05");
                assertThat(client.principal()).isEqualTo(new Principal(user, "peer-credentials"));
                assertThat(client.callsInFlight()).isEqualTo(1);
            });
            desktop.close();
            Eventually.holds("the client to be gone", () -> daemon.clients().isEmpty());
            assertThat(admin.clients()).extracting(ClientStatus::session).isEmpty();
        }
    }

    @Test
    void otherMethodsAreRejected() throws Exception {
        fixture.start();

        try (var admin = DaemonClient.connect(fixture.adminSocket())) {
            assertThat(admin.ask(Methods.PING)).isEqualTo("{}");
            assertThatThrownBy(() -> admin.ask(Methods.TOOLS_LIST))
                    .isInstanceOf(CallException.class)
                    .hasMessageContainingAll("-32601", "bridge/health", "bridge/servers", "bridge/clients");
        }
    }

    @Test
    void socketIsAccessibleToItsOwnerOnly() throws Exception {
        fixture.start();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(fixture.adminSocket())))
                .isEqualTo("rw-------");
    }

    @Test
    void peerOfAnotherUserIsRejected() throws Exception {
        var clients = RecordingAcceptor.takingAll();
        var acceptor = new AdminAcceptor(fixture.start(), clients, fixture.adminSocket());
        var user = Files.getOwner(fixture.folder).getName();

        assertThat(acceptor.connected(peer(new Principal(user, "peer-credentials"))))
                .isPresent();
        assertThat(acceptor.connected(peer(new Principal("root", "peer-credentials"))))
                .isPresent();
        assertThat(acceptor.connected(peer(new Principal("mallory", "peer-credentials"))))
                .isEmpty();
        assertThat(acceptor.connected(peer(new Principal(user, "token")))).isEmpty();
        assertThat(acceptor.connected(peer(Principal.ANONYMOUS))).isEmpty();
        assertThat(clients.notes()).hasSize(3);
        assertThat(clients.notes().get(0).kind()).isEqualTo(AuditNote.PEER_REFUSED);
        assertThat(clients.notes().get(0).details()).containsEntry("user", "mallory");
    }

    @Test
    void missingDaemonIsReportedWithItsSocket() {
        var nowhere = fixture.folder.resolve("nowhere.sock");

        assertThatThrownBy(() -> DaemonClient.connect(nowhere))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(nowhere.toString());
    }

    @Test
    void adminSocketIsBesideTheClientSocket() {
        assertThat(DaemonClient.socketBeside(Path.of("/run/user/7/mcp-bridge/bridge.sock")))
                .isEqualTo(Path.of("/run/user/7/mcp-bridge/admin.sock"));
        assertThat(DaemonClient.socketBeside(Path.of("/tmp/mcp-bridge.sock")))
                .isEqualTo(Path.of("/tmp/mcp-bridge-admin.sock"));
        assertThat(DaemonClient.socketBeside(Path.of("/tmp/tool"))).isEqualTo(Path.of("/tmp/tool-admin.sock"));
        assertThat(DaemonClient.socketBeside(Path.of("/tmp/bridge"))).isEqualTo(Path.of("/tmp/bridge-admin.sock"));
    }

    private static Peer peer(Principal principal) {
        return new Peer(principal, TransportTraits.Shape.SHARED_STREAM, "unix", "unix:test");
    }
}
