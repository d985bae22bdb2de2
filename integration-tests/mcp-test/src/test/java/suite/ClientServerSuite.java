package suite;

import io.mcpbridge.Bridge;
import io.mcpbridge.sdk.BridgeServerTransports;
import io.mcpbridge.sdk.BridgeTransports;
import io.modelcontextprotocol.AbstractMcpClientServerIntegrationTests;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.provider.Arguments;

/** The published tests of a client and a server together, with a bridge between them. */
class ClientServerSuite extends AbstractMcpClientServerIntegrationTests {
    private McpServerTransportProvider transport;
    private Bridge bridge;

    static Stream<Arguments> clientsForTesting() {
        return Stream.of(Arguments.of("httpclient"));
    }

    @BeforeEach
    void open() {
        var socket = Everything.socket();
        transport = BridgeServerTransports.unix(socket);
        bridge = Bridge.builder().unix("server", socket).open();
        clientBuilders.put(
                "httpclient",
                McpClient.sync(BridgeTransports.of(bridge, "server")).requestTimeout(Duration.ofHours(10)));
    }

    @AfterEach
    void close() {
        bridge.close();
        transport.closeGracefully().block();
    }

    @Override
    protected void prepareClients(int port, String mcpEndpoint) {}

    @Override
    protected McpServer.AsyncSpecification<?> prepareAsyncServerBuilder() {
        return McpServer.async(transport);
    }

    @Override
    protected McpServer.SyncSpecification<?> prepareSyncServerBuilder() {
        return McpServer.sync(transport);
    }
}
