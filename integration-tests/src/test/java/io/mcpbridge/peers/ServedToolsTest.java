package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.ElicitationHandler.ElicitResult;
import io.mcpbridge.server.ToolServer;
import io.mcpbridge.spi.Settings;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tools of our own, served over each listener to clients of both eras. */
@Timeout(90)
class ServedToolsTest {
    private static final List<String> PROGRAM = JavaCommand.of(ServedProgram.class.getName());
    private static final String OK = "{\"ok\":true,\"data\":%s}";

    private final Path folder;

    ServedToolsTest() throws IOException {
        folder = Files.createTempDirectory("peers");
    }

    @AfterEach
    void delete() throws IOException {
        TestDaemon.delete(folder);
    }

    private static ToolServer overHttp() throws InterruptedException {
        var server = ServedProgram.create("http", Settings.of(Map.of("port", 0)));
        server.start();
        return server;
    }

    @Test
    void javaSdkClientUsesServedToolsOverStdio() {
        try (var client = SdkClient.connect("Ada", SdkClient.stdio(PROGRAM))) {
            assertSeen(client);
        }
    }

    @Test
    void javaSdkClientUsesServedToolsOverHttp() throws InterruptedException {
        try (var server = overHttp();
                var client = SdkClient.connect(
                        "Ada", SdkClient.http(server.addresses().get(0)))) {
            assertSeen(client);
        }
    }

    private static void assertSeen(SdkClient client) {
        assertThat(client.sdk.getServerInfo().name()).isEqualTo("served");
        assertThat(client.sdk.getServerInfo().version()).isEqualTo("7.7");
        assertThat(client.sdk.getServerCapabilities().resources()).isNull();
        assertThat(client.sdk.listTools().tools())
                .extracting(Tool::name)
                .containsExactly("add", "ask", "print", "server_ping");
        assertThat(client.text("add", Map.of("a", 19, "b", 23))).isEqualTo(OK.formatted(42));
        assertThat(client.call("add", Map.of("a", 19)).isError()).isTrue();
        assertThat(client.text("print", Map.of())).isEqualTo(OK.formatted("\"printed\""));
        assertThat(client.text("ask", Map.of())).isEqualTo(OK.formatted("\"Hello, Ada\""));
        assertThat(client.questions).containsExactly("What is your name?");
    }

    @RequiresPeers
    @ParameterizedTest
    @CsvSource({"v1, 2025-11-25", "v2, 2026-07-28"})
    void typeScriptClientUsesServedToolsOverHttp(String generation, String version) throws InterruptedException {
        try (var server = overHttp();
                var program = Program.start(NodePeers.script(
                        "asking.mjs", generation, server.addresses().get(0).toString(), "ask", "print"))) {
            assertThat(program.awaitOutput())
                    .contains("\"version\":\"" + version + "\"")
                    .contains("Hello, any name")
                    .contains("printed")
                    .contains("\"asked\":[\"elicitation/create\"]");
        }
    }

    @Test
    void connectionUsesServedToolsOverAUnixSocket() throws InterruptedException {
        var socket = folder.resolve("s.sock");
        try (var server = ServedProgram.create("unix", Settings.of(Map.of("path", socket.toString())))) {
            server.start();

            try (var client = Connection.to(URI.create("unix:" + socket), answering())) {
                assertSeen(client);
            }
        }
        assertThat(socket).doesNotExist();
    }

    @Test
    void connectionUsesServedToolsOverStdio() throws InterruptedException {
        try (var client = Connection.toCommand(PROGRAM, answering())) {
            assertSeen(client);
        }
    }

    private static ConnectionOptions answering() {
        return ConnectionOptions.DEFAULTS.withElicitationHandler(
                request -> ElicitResult.accept(Map.of("name", "Grace")));
    }

    private static void assertSeen(Connection client) throws InterruptedException {
        assertThat(client.callTool("add", Map.of("a", 1, "b", 2)).text()).isEqualTo(OK.formatted(3));
        assertThat(client.callTool("ask", Map.of()).text()).isEqualTo(OK.formatted("\"Hello, Grace\""));
        assertThat(client.callTool("print", Map.of()).isError()).isFalse();
    }

    @Test
    void programEndsWithItsClient() throws Exception {
        try (var program = Program.start(PROGRAM)) {
            program.awaitErrorWith("[mcp-bridge] ready");

            program.endInput();

            assertThat(program.awaitOutput()).isEmpty();
        }
    }

    @Test
    void onlyTheNamedListenerIsOpen() throws InterruptedException {
        try (var server = ServedProgram.create(
                "unix", Settings.of(Map.of("path", folder.resolve("s.sock").toString())))) {
            server.start();

            assertThat(server.addresses())
                    .singleElement()
                    .extracting(URI::getScheme)
                    .isEqualTo("unix");
        }
    }
}
