package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Signals to a daemon in a separate process. */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class DaemonSignalsTest {
    private final ToolScript script = new ToolScript("tool", "echo", "hang");
    private final DaemonFixture fixture;
    private final Path file;
    private final Path log;
    private final DaemonProcess process;

    DaemonSignalsTest() throws Exception {
        fixture = new DaemonFixture();
        file = fixture.folder.resolve("mcp.json");
        log = fixture.folder.resolve("log");
        fixture.unix("tool", script);
        fixture.child("child", "echo");
        Files.writeString(file, fixture.json());
        process = DaemonProcess.start(file, log);
    }

    @BeforeEach
    void awaitSocket() {
        Eventually.holds("the daemon to listen", () -> Files.exists(fixture.adminSocket()));
    }

    @AfterEach
    void close() throws Exception {
        process.close();
        fixture.close();
    }

    @Test
    void sigtermDrainsTheDaemon() throws Exception {
        var client = fixture.client("one");
        client.call("child__echo", "{}");
        var child = process.descendants().findFirst().orElseThrow();
        var call = client.callLater("tool__hang", "{}");
        Eventually.holds("the call to arrive", () -> script.hanging() == 1);

        process.signal("TERM");

        Eventually.holds(
                "new calls to be refused",
                () -> client.call("tool__echo", "{}").json().contains("-31009"));
        assertThat(process.isAlive()).isTrue();
        assertThat(script.answerOne()).isTrue();
        assertThat(client.answer(call).isError()).isFalse();
        assertThat(process.exitCode()).isZero();
        assertThat(child.isAlive()).isFalse();
        assertThat(fixture.sockets()).containsExactly("tool.sock");
    }

    @Test
    void secondSigtermEndsTheDaemonAtOnce() throws Exception {
        var client = fixture.client("one");
        client.call("child__echo", "{}");
        var child = process.descendants().findFirst().orElseThrow();
        var call = client.callLater("tool__hang", "{}");
        Eventually.holds("the call to arrive", () -> script.hanging() == 1);
        process.signal("TERM");
        Eventually.holds(
                "new calls to be refused",
                () -> client.call("tool__echo", "{}").json().contains("-31009"));

        process.signal("INT");

        assertThat(client.answer(call).json()).contains("-31009");
        assertThat(process.exitCode()).isZero();
        assertThat(child.isAlive()).isFalse();
        assertThat(fixture.sockets()).containsExactly("tool.sock");
    }

    @Test
    void sighupReloadsTheConfiguration() throws Exception {
        var client = fixture.client("one");
        Eventually.holds(
                "the tools of both servers",
                () -> client.toolNames().equals(List.of("tool__echo", "tool__hang", "child__echo")));

        Files.writeString(file, "{\"mcpServers\": {\n\"tool\": 7}}");
        process.signal("HUP");
        Eventually.holds("the mistake to be logged", () -> process.logged("line 2: 'mcpServers.tool' is 7"));
        Eventually.holds("the mistake to be shown", () -> reload().error().contains("line 2: 'mcpServers.tool' is 7"));
        assertThat(client.toolNames()).containsExactly("tool__echo", "tool__hang", "child__echo");

        Files.writeString(file, fixture.without("child").json());
        process.signal("HUP");
        Eventually.holds("the child to be gone", () -> client.toolNames().size() == 2);
        Eventually.holds("the mistake to be forgotten", () -> reload().error().isEmpty());
        assertThat(process.isAlive()).isTrue();
    }

    private ReloadStatus reload() {
        try (var admin = DaemonClient.connect(fixture.adminSocket())) {
            return admin.health().reload();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }
}
