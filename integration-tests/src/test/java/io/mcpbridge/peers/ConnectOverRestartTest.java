package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client of the official Java SDK, behind {@code mcp-bridge connect}, while the daemon is killed and started again. */
@Timeout(90)
class ConnectOverRestartTest {
    private final Leftovers leftovers = Leftovers.now();
    private final HttpServer server = SdkHttpServer.start();
    private final Path folder;
    private final Path socket;

    /** What {@code connect} says on its standard error. */
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();

    ConnectOverRestartTest() throws IOException {
        folder = Files.createTempDirectory("peers");
        socket = folder.resolve("b.sock");
    }

    @BeforeEach
    void configure() throws IOException {
        Files.writeString(folder.resolve("mcp.json"), TestDaemon.json(Map.of("java", server.section()), socket));
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        TestDaemon.delete(folder);
        leftovers.assertNone();
    }

    @Test
    void sessionSurvivesARestartOfTheDaemon() {
        var first = daemon();
        try (var client = client()) {
            assertThat(client.text("java__echo", Map.of("text", "before"))).isEqualTo("before");

            first.close();
            try (var second = daemon()) {
                assertThat(client.text("java__echo", Map.of("text", "after"))).isEqualTo("after");
                assertThat(second.isAlive()).isTrue();
                assertThat(client.text("java__ask", Map.of())).isEqualTo("ACCEPT ann");
            }
        } finally {
            first.close();
        }
    }

    @Test
    void callDuringARestartIsAnsweredByTheNextDaemon() throws Exception {
        var first = daemon();
        try (var client = client()) {
            assertThat(client.text("java__echo", Map.of("text", "before"))).isEqualTo("before");

            first.close();
            // A call that it hands over before it has noticed may have run, and is not repeated.
            Eventually.holds(
                    "the loss to be noticed",
                    () -> errors.stream().anyMatch(line -> line.contains("lost the connection to the daemon")));
            var call = CompletableFuture.supplyAsync(() -> client.text("java__echo", Map.of("text", "meanwhile")));
            try (var second = daemon()) {
                assertThat(call.get(30, TimeUnit.SECONDS)).isEqualTo("meanwhile");
                assertThat(second.isAlive()).isTrue();
            }
        } finally {
            first.close();
        }
    }

    @Test
    void idleClientIsNotifiedOfChangedToolsAfterARestart() {
        var first = daemon();
        try (var client = client()) {
            client.sdk.listTools();

            first.close();
            try (var second = daemon()) {
                Eventually.holds(
                        () -> "the client to list its tools again; the daemon says: " + second.errors(),
                        () -> !client.toolLists.isEmpty());
            }
        } finally {
            first.close();
        }
    }

    private Program daemon() {
        var daemon = Program.start(JavaCommand.mcpBridge(
                "serve", "--config", folder.resolve("mcp.json").toString()));
        daemon.awaitErrorWith("listening at http");
        return daemon;
    }

    private SdkClient client() {
        var command = JavaCommand.mcpBridge("connect", "--mcp-bridge-socket", socket.toString());
        return SdkClient.connect("ann", SdkClient.stdio(command, errors::add));
    }
}
