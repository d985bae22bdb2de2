package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.engine.ManagedServerStatus;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingLogger;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DaemonTest {
    /** The number of eager servers that a daemon connects at once. */
    private static final int MAX_CONNECTING = 8;

    private final DaemonFixture fixture;

    DaemonTest() throws Exception {
        fixture = new DaemonFixture();
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void allListenersReachAllKindsOfServers() throws Exception {
        fixture.child("child", "echo");
        fixture.http("web", new ToolScript("web", "echo"));
        fixture.unix("local", new ToolScript("local", "echo"));
        var daemon = fixture.start();
        var unix = fixture.client("one");
        var http = HttpTestClient.initialized(daemon.addresses().get(1));

        for (var server : new String[] {"child", "web", "local"}) {
            assertThat(unix.call(server + "__echo", "{\"n\":1}").json())
                    .contains("\"text\":\"" + server + "\"", "\"structuredContent\":{\"n\":1}");
            assertThat(http.call(server + "__echo", "{\"n\":2}"))
                    .contains("\"text\":\"" + server + "\"", "\"structuredContent\":{\"n\":2}");
        }
        assertThat(daemon.servers()).extracting(ManagedServerStatus::state).containsOnly("healthy");
    }

    @Test
    void eachListenerIsLoggedOnce() {
        var log = new RecordingLogger();
        try (var owned = StandardEnvironment.open()) {
            var from = owned.environment();
            var environment = Environment.of(from.timekeeper(), from.workers(), from.launcher())
                    .withLogger(log);
            try (var daemon = fixture.start(DaemonOptions.DEFAULTS.withEnvironment(environment))) {
                assertThat(daemon.addresses())
                        .hasSize(2)
                        .allSatisfy(address ->
                                assertThat(log.lines()).containsOnlyOnce("[mcp-bridge] listening at " + address));
                assertThat(log.lines())
                        .filteredOn(line -> line.contains("listening"))
                        .hasSize(3);
            }
        }
    }

    @Test
    void listHasAllPagesOfAllServersInOrder() throws Exception {
        fixture.unix("zebra", new ToolScript("zebra", "e", "d", "c", "b", "a"));
        fixture.unix("ant", new ToolScript("ant", "y", "x"));
        fixture.start();
        var client = fixture.client("one");

        var names = client.toolNames();

        assertThat(names)
                .containsExactly("zebra__e", "zebra__d", "zebra__c", "zebra__b", "zebra__a", "ant__y", "ant__x");
        assertThat(client.toolNames()).isEqualTo(names);
    }

    @Test
    void plainNamesOfTwoServersAreOmitted() throws Exception {
        fixture.unix("one", new ToolScript("one", "mine", "both"));
        fixture.unix("two", new ToolScript("two", "both", "yours"));
        fixture.bridge("\"names\": \"plain\", ").start();
        var client = fixture.client("one");

        assertThat(client.toolNames()).containsExactly("mine", "yours");
        assertThat(client.call("yours", "{}").json()).contains("\"text\":\"two\"");
        assertThat(client.call("both", "{}").json()).contains("Unknown tool: both");
    }

    @Test
    void serverWithWrongSettingsIsOmittedAndShown() throws Exception {
        fixture.unix("good", new ToolScript("good", "echo"));
        fixture.server("bad", "{\"type\": \"unix\", \"path\": \"\"}");
        fixture.server("odd", "{\"type\": \"pigeon\"}");
        var daemon = fixture.start();
        var client = fixture.client("one");

        assertThat(client.call("good__echo", "{}").isError()).isFalse();
        assertThat(daemon.servers()).extracting(ManagedServerStatus::name).containsExactly("good", "bad", "odd");
        assertThat(daemon.servers())
                .extracting(ManagedServerStatus::state)
                .containsExactly("healthy", "unavailable", "unavailable");
        assertThat(daemon.servers().get(2).error()).contains("'pigeon'", "stdio", "unix");
        assertThat(daemon.health().status()).isEqualTo("degraded");
    }

    @Test
    void serverThatCannotStartFailsOnlyItsOwnCalls() throws Exception {
        fixture.server("absent", "{\"command\": \"/no/such/program\"}");
        fixture.unix("good", new ToolScript("good", "echo"));
        fixture.start();
        var client = fixture.client("one");

        var failed = client.call("absent__anything", "{}");

        assertThat(failed.raw(MessageField.ERROR))
                .hasValueSatisfying(error -> assertThat(error)
                        .contains("-31001", "/no/such/program", "\"delivery\":\"not_sent\"", "\"server\":\"absent\""));
        assertThat(client.toolNames()).containsExactly("good__echo");
    }

    @Test
    void crashedChildIsRestartedByALaterCall() throws Exception {
        fixture.child("child", "echo", "crash");
        fixture.start();
        var client = fixture.client("one");

        assertThat(client.call("child__crash", "{}").json())
                .contains("-31005", "\"reason\":\"in_doubt\"", "exit code 7");
        assertThat(client.call("child__echo", "{}").json()).contains("\"text\":\"child\"");
    }

    @Test
    void disabledServerIsShownAndNotServed() throws Exception {
        fixture.server("off", "{\"command\": \"nothing\", \"enabled\": false}");
        var daemon = fixture.start();

        assertThat(daemon.servers()).extracting(ManagedServerStatus::state).containsExactly("disabled");
        assertThat(daemon.health().status()).isEqualTo("healthy");
    }

    @Test
    void eagerServersConnectEightAtATime() throws Exception {
        var script = new ToolScript("many", "echo").holdingHandshakes();
        var server = fixture.closeLater(new UnixToolServer(fixture.folder.resolve("many.sock"), script));
        for (int i = 0; i < 20; i++) {
            fixture.server("eager" + i, server.section().replace("}", ", \"start\": \"eager\"}"));
        }
        var daemon = fixture.start();

        Eventually.holds("eight handshakes", () -> script.hanging() == MAX_CONNECTING);
        for (int answered = 1; answered <= 20; answered++) {
            Eventually.holds("a handshake that waits", script::answerOne);
            assertThat(script.hanging()).isLessThanOrEqualTo(MAX_CONNECTING);
            assertThat(script.handshakes()).isLessThanOrEqualTo(MAX_CONNECTING + answered);
        }
        Eventually.holds(
                "all servers to be healthy",
                () -> daemon.servers().stream().allMatch(each -> each.state().equals("healthy")));
    }

    @Test
    void secondDaemonOnTheSameSocketIsRejected() throws Exception {
        fixture.unix("good", new ToolScript("good", "echo"));
        fixture.start();
        var client = fixture.client("one");

        var log = new RecordingLogger();
        var options = DaemonOptions.DEFAULTS.withEnvironment(fixture.logging(log));

        assertThatThrownBy(() -> Daemon.start(fixture.configuration(), options))
                .isInstanceOf(BridgeException.class)
                .hasMessageContaining("already running");
        assertThat(log.lines()).noneMatch(line -> line.contains("ended"));
        assertThat(client.call("good__echo", "{}").isError()).isFalse();
    }

    @Test
    void unixSocketIsTheDefaultListener() {
        var http = DaemonOptions.DEFAULTS.withListener("http", Map.of("port", 0));
        var stdio = DaemonOptions.DEFAULTS.withListener("stdio", Map.of());

        assertThat(DaemonOptions.DEFAULTS.listeners(Map.of())).containsOnlyKeys("unix");
        assertThat(http.listeners(Map.of())).containsOnlyKeys("unix", "http");
        assertThat(stdio.listeners(Map.of())).containsOnlyKeys("stdio");
        assertThat(http.listeners(Map.of("stdio", Settings.of(Map.of())))).containsOnlyKeys("stdio", "http");
    }

    @Test
    void unknownRetryPolicyIsRejected() {
        var json = "{\"bridge\": {\"retry\": {\"policy\": \"hope\"}}}";
        var configuration = BridgeConfiguration.parse(json, fixture.folder, Map.of());

        assertThatThrownBy(() -> Daemon.start(configuration, DaemonOptions.DEFAULTS))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("'hope'", "exponential", "none", "safe");
    }

    @Test
    void unknownSinkAndKeyAreRejected() {
        var json = "{\"bridge\": {\"audit\": {\"sink\": \"paper\"}, \"retry\": {\"polic\": 1}}}";
        var configuration = BridgeConfiguration.parse(json, fixture.folder, Map.of());

        assertThatThrownBy(() -> Daemon.start(configuration, DaemonOptions.DEFAULTS))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("'paper'", "did you mean 'policy'");
    }

    @Test
    void closeRemovesTheSocketsAndIsIdempotent() throws Exception {
        var daemon = fixture.start();
        assertThat(fixture.sockets()).containsExactly("admin.sock", "bridge.sock");

        daemon.close();
        daemon.close();

        assertThat(fixture.sockets()).isEmpty();
        assertThat(Files.exists(fixture.adminSocket())).isFalse();
        daemon.awaitEnd();
    }
}
