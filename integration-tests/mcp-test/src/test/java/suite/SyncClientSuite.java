package suite;

import io.mcpbridge.sdk.BridgeTransports;
import io.modelcontextprotocol.client.AbstractMcpSyncClientTests;
import io.modelcontextprotocol.spec.McpClientTransport;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The published tests of clients, over {@link BridgeTransports#of}. */
class SyncClientSuite extends AbstractMcpSyncClientTests {
    private static Everything everything;

    @BeforeAll
    static void open() {
        everything = new Everything();
    }

    @AfterAll
    static void close() {
        everything.close();
    }

    @Override
    protected McpClientTransport createMcpTransport() {
        return BridgeTransports.of(everything.bridge(), "everything");
    }

    @Override
    protected Duration getRequestTimeout() {
        return Everything.REQUEST_TIMEOUT;
    }

    @Override
    protected Duration getInitializationTimeout() {
        return Everything.REQUEST_TIMEOUT;
    }
}
