package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.testkit.Eventually;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a client of the official Java SDK sees of the daemon. A subclass says how it reaches the daemon, behind which
 * a server of the same SDK is named {@code java}.
 */
@Timeout(60)
abstract class JavaSdkClientContract {
    @SuppressWarnings("NullAway.Init")
    private SdkClient client;

    protected abstract TestDaemon daemon();

    protected abstract McpClientTransport transport();

    @BeforeEach
    void connect() {
        client = SdkClient.connect("ann", transport());
    }

    @AfterEach
    void close() {
        client.close();
        Eventually.holds(
                () -> "the daemon to strike the client off; it has "
                        + daemon().running().clients(),
                () -> daemon().running().clients().isEmpty());
    }

    @Test
    void handshakeDescribesTheBridge() {
        var told = client.sdk.getCurrentInitializationResult();

        assertThat(told.serverInfo().name()).isEqualTo("mcp-bridge-server");
        assertThat(told.protocolVersion()).isEqualTo("2025-11-25");
        assertThat(told.capabilities().tools().listChanged()).isTrue();
    }

    @Test
    void daemonListsItsClients() {
        client.sdk.listTools();

        assertThat(daemon().running().clients())
                .singleElement()
                .satisfies(record -> assertThat(record.toString()).contains("ann", "2025-11-25"));
    }

    @Test
    void toolsHaveTheirServerPrefix() {
        assertThat(client.sdk.listTools().tools())
                .extracting(Tool::name)
                .containsExactlyInAnyOrder("java__echo", "java__steps", "java__log", "java__ask", "java__fail");
    }

    @Test
    void callIsAnswered() {
        assertThat(client.text("java__echo", Map.of("text", "grüße 🌉"))).isEqualTo("grüße 🌉");
    }

    @Test
    void progressArrives() {
        client.sdk.callTool(CallToolRequest.builder("java__steps")
                .arguments(Map.of())
                .progressToken("mine")
                .build());

        Eventually.holds(
                () -> "all progress; heard is " + client.progress, () -> client.progress.size() == SdkTools.STEPS);
        assertThat(client.progress).containsExactlyInAnyOrder(1.0, 2.0, 3.0);
    }

    @Test
    void toolErrorIsAResult() {
        var result = client.call("java__fail", Map.of());

        assertThat(result.isError()).isTrue();
        assertThat(((TextContent) result.content().get(0)).text()).isEqualTo("it went wrong");
    }

    @Test
    void unknownToolIsRejected() {
        assertThatThrownBy(() -> client.call("java__nothing", Map.of()))
                .isInstanceOfSatisfying(
                        McpError.class,
                        error -> assertThat(error.getJsonRpcError().code()).isEqualTo(-32602));
    }

    @Test
    void serverRequestIsAnswered() {
        assertThat(client.text("java__ask", Map.of())).isEqualTo("ACCEPT ann");
        assertThat(client.questions).containsExactly("Who are you?");
    }

    @Test
    void logMessagesArrive() {
        client.sdk.setLoggingLevel(LoggingLevel.DEBUG);

        client.call("java__log", Map.of("line", "look here"));

        Eventually.holds(() -> "the line; heard is " + client.logged, () -> client.logged.contains("look here"));
    }

    @Test
    void pingIsAnswered() {
        assertThat(client.sdk.ping()).isEqualTo(Map.of());
    }
}
