package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who stands behind {@code mcp-bridge connect} is what operators see, not the relay. */
@Timeout(90)
class ConnectShowsTheClientTest {
    @RegisterExtension
    static final TestDaemon DAEMON = new TestDaemon();

    private final Path folder;

    ConnectShowsTheClientTest() throws IOException {
        folder = Files.createTempDirectory("peers");
    }

    @AfterEach
    void close() throws IOException {
        TestDaemon.delete(folder);
    }

    @Test
    void registryNamesTheDesktopClient() throws Exception {
        var socket = DAEMON.socket().toString();
        var command = JavaCommand.mcpBridge("connect", "--mcp-client-id", "desk-7", "--mcp-bridge-socket", socket);

        try (var client = SdkClient.connect("a desktop", SdkClient.stdio(command));
                var shown = Program.start(JavaCommand.mcpBridge("clients", "--json", "--mcp-bridge-socket", socket))) {
            client.sdk.listTools();

            var clients = Settings.parse(shown.awaitOutput()).sections("clients");

            assertThat(clients.values()).singleElement().satisfies(one -> {
                assertThat(one.text("name")).contains("a desktop");
                assertThat(one.text("version")).contains("1.0");
                assertThat(one.text("clientId")).contains("desk-7");
            });
        }
    }

    @Test
    void waitingClientIsInformedAtOnce() throws Exception {
        var socket = folder.resolve("b.sock");
        var file = Files.writeString(
                folder.resolve("client.json"),
                "{\"mcpBridge\": {\"reconnect\": {\"maxAttempts\": 7, \"initialDelayMs\": 1000}}}");

        try (var waiting = Program.start(JavaCommand.mcpBridge(
                "connect", "--config", file.toString(), "--mcp-bridge-socket", socket.toString()))) {
            waiting.awaitErrorWith("no daemon listens at '%s' yet; waiting for it for up to 63 s".formatted(socket));

            assertThat(waiting.isAlive()).isTrue();
        }
    }
}
