package suite;

import io.mcpbridge.sdk.BridgeServerTransports;
import io.modelcontextprotocol.server.AbstractMcpAsyncServerTests;
import io.modelcontextprotocol.server.McpServer;

/** The published tests of servers, over {@link BridgeServerTransports#unix}. */
class AsyncServerSuite extends AbstractMcpAsyncServerTests {

    @Override
    protected McpServer.AsyncSpecification<?> prepareAsyncServerBuilder() {
        return McpServer.async(BridgeServerTransports.unix(Everything.socket()));
    }
}
