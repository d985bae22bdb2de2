package io.mcpbridge.frontdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.engine.ConfiguredCatalog;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.testkit.InMemoryListener;
import io.mcpbridge.testkit.InMemoryTransportProvider;
import io.mcpbridge.testkit.RawClient;
import io.mcpbridge.testkit.ScriptedServer;
import io.mcpbridge.tool.ToolDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The audit and the approved tools of a program's bridge. */
@Timeout(120)
class FrontControlsTest {
    private static final String TOOL =
            "{\"name\":\"echo\",\"description\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}";

    @TempDir
    private Path folder;

    private final ScriptedServer server = new ScriptedServer()
            .on(
                    Methods.INITIALIZE,
                    "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}")
            .on(Methods.TOOLS_LIST, "{\"tools\":[" + TOOL.formatted("Echoes.") + "]}")
            .on(Methods.TOOLS_CALL, "{\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}");
    private final InMemoryListener listener = new InMemoryListener();

    private Path file;

    @BeforeEach
    void configure() throws IOException {
        file = folder.resolve("mcp.json");
        Files.writeString(file, """
            {"mcpServers": {"one": {"type": "memory"}},
             "bridge": {"audit": {"path": "%s"}, "catalog": {"lock": "mcp.lock"}}}
            """.formatted(folder.resolve("audit")));
    }

    @Test
    void callsOfClientsAreRecorded() throws IOException {
        approve("Echoes.");
        try (var bridge = open()) {
            assertThat(call(bridge)).contains("\"hi\"");
        }

        assertThat(trail()).contains("\"tool\":\"echo\"", "\"server\":\"one\"");
    }

    @Test
    void toolThatDiffersFromItsApprovalIsQuarantinedForAll() throws IOException {
        approve("Echoes loudly.");
        try (var bridge = open()) {
            assertThat(call(bridge)).contains("-31008", "is quarantined");
            assertThatThrownBy(() -> bridge.callTool("one", "echo", Map.of()))
                    .isInstanceOf(CallException.class)
                    .hasMessageContaining("is quarantined");
        }

        assertThat(trail()).contains("tool-quarantined");
    }

    private Bridge open() {
        var transports = Providers.only(
                TransportProvider.class, List.<TransportProvider>of(InMemoryTransportProvider.to(server)));
        return Bridge.open(file, BridgeOptions.DEFAULTS.withTransports(transports));
    }

    private void approve(String description) {
        var configuration = BridgeConfiguration.read(file, Map.of());
        try (var environment = StandardEnvironment.open();
                var catalog = ConfiguredCatalog.of(configuration).makeToCompare(environment.environment())) {
            catalog.update("one", List.of(ToolDefinition.parse(TOOL.formatted(description))));
            catalog.approve();
        }
    }

    private String call(Bridge bridge) throws IOException {
        listener.start(bridge.front());
        var client = listener.connect();
        answer(
                client,
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}");
        return answer(
                client,
                "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"one__echo\",\"arguments\":{}}}");
    }

    /** Sends a request and waits for the response; skips notifications. */
    private static String answer(RawClient client, String request) throws IOException {
        client.send(request);
        var received = client.receive();
        while (!received.contains("\"id\":")) {
            received = client.receive();
        }
        return received;
    }

    private String trail() throws IOException {
        try (var files = Files.walk(folder.resolve("audit"))) {
            return files.filter(each -> each.toString().endsWith(".jsonl"))
                    .map(FrontControlsTest::read)
                    .collect(Collectors.joining());
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
