package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.engine.ManagedServerStatus;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingLogger;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reloads with connected clients. */
@Timeout(60)
class DaemonReloadTest {
    private final ToolScript kept = new ToolScript("kept", "echo");
    private final ToolScript gone = new ToolScript("gone", "echo", "hang");
    private final DaemonFixture fixture;

    DaemonReloadTest() throws Exception {
        fixture = new DaemonFixture();
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void serversAreAddedAndRemovedAndClientsAreNotifiedOnce() throws Exception {
        fixture.unix("kept", kept);
        var leaving = fixture.unix("gone", gone);
        var daemon = fixture.start();
        var client = fixture.client("one");
        assertThat(client.toolNames()).containsExactly("kept__echo", "gone__echo", "gone__hang");

        fixture.without("gone").unix("fresh", new ToolScript("fresh", "echo"));
        daemon.reload(fixture.configuration());

        assertThat(client.toolNames()).containsExactly("kept__echo", "fresh__echo");
        assertThat(client.call("gone__echo", "{}").json()).contains("Unknown tool: gone__echo");
        assertThat(client.call("fresh__echo", "{}").isError()).isFalse();
        Eventually.holds("the removed server to be closed", () -> leaving.connections() == 0);
        Eventually.holds("the clients to be told", () -> client.count(Methods.TOOLS_LIST_CHANGED) > 0);
        assertThat(client.count(Methods.TOOLS_LIST_CHANGED)).isEqualTo(1);
        Eventually.holds(
                "the clients to be told of the other lists",
                () -> client.count(Methods.RESOURCES_LIST_CHANGED) == 1
                        && client.count(Methods.PROMPTS_LIST_CHANGED) == 1);
    }

    @Test
    void unchangedServerKeepsItsSession() throws Exception {
        fixture.unix("kept", kept);
        var daemon = fixture.start();
        var client = fixture.client("one");
        client.call("kept__echo", "{}");

        daemon.reload(fixture.configuration());

        assertThat(client.call("kept__echo", "{}").isError()).isFalse();
        assertThat(kept.handshakes()).isEqualTo(1);
        assertThat(client.count(Methods.TOOLS_LIST_CHANGED)).isZero();
    }

    @Test
    void reloadWithoutChangesLogsNoWarning() throws Exception {
        fixture.bridge("\"limits\": {\"in-flight\": 7}, \"keep-alive\": \"40s\", ")
                .unix("kept", kept);
        fixture.child("child", "echo");
        fixture.server(
                "web", "{\"url\": \"http://127.0.0.1:9/mcp\", \"headers\": {\"a\": \"b\"}, \"timeout\": \"3s\"}");
        fixture.server("off", "{\"url\": \"http://127.0.0.1:9/mcp\", \"headers\": {}, \"enabled\": false}");
        var log = new RecordingLogger();
        try (var owned = StandardEnvironment.open()) {
            var from = owned.environment();
            var environment = Environment.of(from.timekeeper(), from.workers(), from.launcher())
                    .withLogger(log);
            try (var daemon = fixture.start(DaemonOptions.DEFAULTS.withEnvironment(environment))) {
                daemon.reload(fixture.configuration());
                daemon.reload(fixture.configuration());

                assertThat(log.entries()).noneMatch(entry -> entry.level() == System.Logger.Level.WARNING);
                fixture.server("web", "{\"url\": \"http://127.0.0.1:9/mcp\", \"heders\": {}}");
                daemon.reload(fixture.configuration());
                assertThat(log.lines()).anySatisfy(line -> assertThat(line).contains("heders", "headers"));
            }
        }
    }

    @Test
    void mistakeInADisabledServerDoesNotPreventAReload() throws Exception {
        fixture.unix("kept", kept);
        fixture.server("off", "{\"type\": \"missing\", \"enabled\": false}");
        var daemon = fixture.start();

        daemon.reload(fixture.configuration());

        assertThat(daemon.servers()).extracting(ManagedServerStatus::state).contains("disabled");
    }

    @Test
    void changedServerIsReplaced() throws Exception {
        var server = fixture.unix("kept", kept);
        var daemon = fixture.start();
        var client = fixture.client("one");
        client.call("kept__echo", "{}");

        fixture.server("kept", server.section().replace("}", ", \"timeout\": \"7s\"}"));
        daemon.reload(fixture.configuration());

        assertThat(client.call("kept__echo", "{}").isError()).isFalse();
        assertThat(kept.handshakes()).isEqualTo(2);
        Eventually.holds("the old session to be closed", () -> server.connections() == 1);
    }

    @Test
    void pendingCallsOfARemovedServerMayComplete() throws Exception {
        var leaving = fixture.unix("gone", gone);
        var daemon = fixture.start();
        var client = fixture.client("one");
        var call = client.callLater("gone__hang", "{}");
        Eventually.holds("the call to arrive", () -> gone.hanging() == 1);

        daemon.reload(fixture.without("gone").configuration());

        assertThat(client.toolNames()).isEmpty();
        assertThat(client.hasAnswer(call)).isFalse();
        assertThat(gone.answerOne()).isTrue();
        assertThat(client.answer(call).isError()).isFalse();
        Eventually.holds("the removed server to be closed", () -> leaving.connections() == 0);
    }

    @Test
    void pendingCallsOfARemovedServerEndAfterTheDrainTimeout() throws Exception {
        fixture.bridge("\"drain-timeout\": \"300ms\", ").unix("gone", gone);
        var daemon = fixture.start();
        var client = fixture.client("one");
        var call = client.callLater("gone__hang", "{}");
        Eventually.holds("the call to arrive", () -> gone.hanging() == 1);

        daemon.reload(fixture.without("gone").configuration());

        assertThat(client.answer(call).json()).contains("-31005", "\"delivery\":\"unknown\"");
    }

    @Test
    void mistakeKeepsTheOldConfiguration() throws Exception {
        fixture.unix("kept", kept);
        var daemon = fixture.start();
        var client = fixture.client("one");
        client.call("kept__echo", "{}");

        fixture.server("wrong", "{\"path\": 7}").without("kept");

        assertThatThrownBy(() -> daemon.reload(fixture.configuration()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("line 2", "wrong.path' is 7");
        assertThat(client.call("kept__echo", "{}").isError()).isFalse();
        assertThat(kept.handshakes()).isEqualTo(1);
        assertThat(daemon.servers()).extracting(ManagedServerStatus::name).containsExactly("kept");
    }

    @Test
    void unchangedMistakeOfAServerDoesNotPreventAReload() throws Exception {
        fixture.server("wrong", "{\"type\": \"pigeon\"}").unix("kept", kept);
        var daemon = fixture.start();
        var client = fixture.client("one");

        fixture.unix("fresh", new ToolScript("fresh", "echo"));
        daemon.reload(fixture.configuration());

        assertThat(client.toolNames()).containsExactly("kept__echo", "fresh__echo");
        assertThat(daemon.servers()).extracting(ManagedServerStatus::name).containsExactly("wrong", "kept", "fresh");
        fixture.server("wrong", "{\"type\": \"dove\"}");
        assertThatThrownBy(() -> daemon.reload(fixture.configuration()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'dove'");
    }

    @Test
    void omittedServerIsRetriedOnReload() throws Exception {
        var folder = fixture.folder.resolve("later");
        fixture.server(
                "child",
                DaemonFixture.childSection("child", "echo")
                        .replace("{\"command", "{\"cwd\": \"%s\", \"command".formatted(folder)));
        var daemon = fixture.start();
        var client = fixture.client("one");
        assertThat(client.toolNames()).isEmpty();

        Files.createDirectory(folder);
        daemon.reload(fixture.configuration());

        assertThat(client.toolNames()).containsExactly("child__echo");
    }

    @Test
    void listenerOverriddenByAnOptionIsNotChecked() throws Exception {
        var options = DaemonOptions.DEFAULTS.withListener("http", Map.of("port", 0));
        var json = fixture.json().replace("\"port\": 0", "\"port\": 99999");
        var file = Files.writeString(fixture.folder.resolve("mcp.json"), json);
        var read = ConfigurationCheck.toServe(file, Map.of(), options);

        try (var daemon = Daemon.start(read, options)) {
            daemon.reload(read);

            assertThat(daemon.addresses()).hasSize(2);
        }
        assertThatThrownBy(() -> ConfigurationCheck.toServe(file, Map.of(), DaemonOptions.DEFAULTS))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'bridge.listen.http.port' is 99999");
    }

    @Test
    void namingCanChangeOnReload() throws Exception {
        fixture.unix("kept", kept);
        var daemon = fixture.start();
        var client = fixture.client("one");

        daemon.reload(fixture.bridge("\"names\": \"plain\", ").configuration());

        assertThat(client.toolNames()).containsExactly("echo");
        Eventually.holds("the clients to be told", () -> client.count(Methods.TOOLS_LIST_CHANGED) == 1);
    }

    @Test
    void overlongExposedNameIsOmittedUntilNamesArePlain() throws Exception {
        var name = "n".repeat(125);
        fixture.unix("kept", new ToolScript("kept", "echo", name));
        var daemon = fixture.start();
        var client = fixture.client("one");

        assertThat(client.toolNames()).containsExactly("kept__echo");
        assertThat(omittedTools(daemon))
                .contains("tool '" + name + "' (clients would see it as 'kept__nnn", "131 characters");

        daemon.reload(fixture.bridge("\"names\": \"plain\", ").configuration());
        assertThat(client.toolNames()).containsExactly("echo", name);
        assertThat(omittedTools(daemon)).isEmpty();
    }

    private static String omittedTools(Daemon daemon) {
        return daemon.servers().get(0).readings().stream()
                .filter(each -> each.name().equals("catalog.left-out"))
                .map(GaugeReading::words)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void closedDaemonRejectsAReload() throws Exception {
        var daemon = fixture.start();
        daemon.close();

        assertThatThrownBy(() -> daemon.reload(fixture.configuration()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the daemon drains");
    }
}
