package io.mcpbridge.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.Bridge;
import io.mcpbridge.message.Era;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.faulty.FaultProxy;
import io.mcpbridge.testkit.faulty.FaultScript;
import io.mcpbridge.testkit.faulty.FaultyServer;
import io.mcpbridge.testkit.faulty.Toxic;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The scenarios of the SDK's own resiliency tests, with a fault proxy between the bridge and its server. */
@Timeout(120)
class ClientResilienceTest {
    private final FaultyServer server = FaultyServer.overHttp(Era.LEGACY, FaultScript.NONE);
    private final FaultProxy proxy = FaultProxy.before(server.uri());
    private final Bridge bridge = Bridge.builder()
            .http("faulty", proxy.uri(), Map.of("retryDelayMs", 10, "maxRetries", 1))
            .open();
    private final McpAsyncClient client = McpClient.async(BridgeTransports.of(bridge, "faulty"))
            .requestTimeout(Duration.ofSeconds(60))
            .initializationTimeout(Duration.ofSeconds(60))
            .build();

    @AfterEach
    void close() {
        client.close();
        bridge.close();
        proxy.close();
        server.close();
    }

    private void disconnect() {
        proxy.always(new Toxic.Refuse());
        proxy.resetAll();
    }

    private String echo() {
        var request =
                CallToolRequest.builder("echo").arguments(Map.of("text", "hi")).build();
        var result = client.callTool(request).block();
        return ((TextContent) result.content().get(0)).text();
    }

    private boolean echoes() {
        try {
            return echo().equals("hi");
        } catch (McpError away) {
            return false;
        }
    }

    @Test
    void clientInitializesAndPingsWhileTheServerCannotBeReached() {
        disconnect();

        assertThat(client.initialize().block().protocolVersion()).isNotEmpty();
        client.ping().block();
        assertThatThrownBy(this::echo).isInstanceOf(McpError.class);
    }

    @Test
    void callsFailWhileTheNetworkIsDownAndWorkAgainAfterwards() {
        client.initialize().block();
        assertThat(client.listTools().block().tools()).extracting(Tool::name).contains("echo");
        assertThat(echo()).isEqualTo("hi");

        disconnect();
        assertThatThrownBy(this::echo).isInstanceOf(McpError.class);
        client.ping().block();

        proxy.pass();
        Eventually.holds("the tool to answer in the same session", this::echoes);
    }

    @Test
    void sessionOfTheClientOutlivesThatOfTheServer() {
        client.initialize().block();
        assertThat(echo()).isEqualTo("hi");

        server.stop();
        server.start();

        Eventually.holds("the tool to answer in the same session", this::echoes);
    }
}
