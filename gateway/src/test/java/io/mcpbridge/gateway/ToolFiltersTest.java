package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.message.Methods;
import io.mcpbridge.testkit.Eventually;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tools that the configuration hides, by server and by user. */
@Timeout(60)
class ToolFiltersTest {
    private final ChangingTools tools = new ChangingTools()
            .tool("read", "Reads.")
            .tool("read_secret", "Reads secrets.")
            .tool("write", "Writes.");
    private final DaemonFixture fixture;
    private final UnixToolServer server;

    ToolFiltersTest() throws Exception {
        fixture = new DaemonFixture();
        server = fixture.unix("disk", tools);
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void toolDeniedForTheServerIsUnknown() throws Exception {
        filterServer();
        fixture.start();
        var client = fixture.client("one");

        assertThat(client.toolNames()).containsExactly("disk__read");
        assertThat(client.call("disk__read", "{}").isError()).isFalse();
        assertThat(client.call("disk__read_secret", "{}").json())
                .contains("-32602", "\"Unknown tool: disk__read_secret\"");
        assertThat(client.call("disk__write", "{}").json()).contains("-32602", "\"Unknown tool: disk__write\"");
        assertThat(tools.calls()).containsExactly("read");
    }

    @Test
    void toolDeniedForTheServerIsUnknownUnderItsPlainName() throws Exception {
        filterServer();
        fixture.bridge("\"names\": \"plain\", ");
        fixture.start();
        var client = fixture.client("one");

        assertThat(client.call("write", "{}").json()).contains("-32602", "\"Unknown tool: write\"");
        assertThat(client.toolNames()).containsExactly("read");
        assertThat(tools.calls()).isEmpty();
    }

    @Test
    void toolDeniedForTheServerIsUnknownToABridge() throws Exception {
        filterServer();
        try (var bridge = Bridge.open(fixture.configuration(), BridgeOptions.DEFAULTS)) {
            Assertions.assertThatThrownBy(() -> bridge.callTool("disk", "write", Map.of()))
                    .isInstanceOf(CallException.class)
                    .hasMessageContaining("Unknown tool: write");
        }
        assertThat(tools.calls()).isEmpty();
    }

    @Test
    void toolDeniedForTheUserIsUnknown() throws Exception {
        fixture.bridge(
                "\"clients\": {\"%s\": {\"tools\": {\"deny\": [\"*secret\"]}}, \"*\": {\"tools\": {\"deny\": [\"*\"]}}}, "
                        .formatted(System.getProperty("user.name")));
        fixture.start();
        var client = fixture.client("one");

        assertThat(client.toolNames()).containsExactly("disk__read", "disk__write");
        assertThat(client.call("disk__write", "{}").isError()).isFalse();
        assertThat(client.call("disk__read_secret", "{}").json())
                .contains("-32602", "\"Unknown tool: disk__read_secret\"");
        assertThat(tools.calls()).containsExactly("write");
    }

    @Test
    void changedPatternsApplyAfterAReload() throws Exception {
        var daemon = fixture.start();
        var client = fixture.client("one");
        assertThat(client.toolNames()).hasSize(3);

        fixture.bridge("\"clients\": {\"*\": {\"tools\": {\"allow\": [\"disk__read\"]}}}, ");
        daemon.reload(fixture.configuration());

        Eventually.holds("the client to receive the change", () -> client.count(Methods.TOOLS_LIST_CHANGED) > 0);
        assertThat(client.toolNames()).containsExactly("disk__read");
    }

    private void filterServer() {
        fixture.server(
                "disk",
                server.section().replace("}", ", \"tools\": {\"allow\": [\"read*\"], \"deny\": [\"*_secret\"]}}"));
    }
}
