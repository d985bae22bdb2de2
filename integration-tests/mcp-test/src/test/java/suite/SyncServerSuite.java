package suite;

import io.mcpbridge.sdk.BridgeServerTransports;
import io.modelcontextprotocol.server.AbstractMcpSyncServerTests;
import io.modelcontextprotocol.server.McpServer;

/** The published tests of servers, over {@link BridgeServerTransports#unix}. */
class SyncServerSuite extends AbstractMcpSyncServerTests {

    @Override
    protected McpServer.SyncSpecification<?> prepareSyncServerBuilder() {
        return McpServer.sync(BridgeServerTransports.unix(Everything.socket()));
    }
}
