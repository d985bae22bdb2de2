package io.mcpbridge.peers;

import io.modelcontextprotocol.spec.McpClientTransport;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The official Java SDK in front of the daemon's Streamable HTTP. */
class JavaSdkClientOverHttpTest extends JavaSdkClientContract {

    @RegisterExtension
    static final TestDaemon DAEMON = new TestDaemon().server("java", SdkStdioServer::command);

    @Override
    protected TestDaemon daemon() {
        return DAEMON;
    }

    @Override
    protected McpClientTransport transport() {
        return SdkClient.http(DAEMON.http());
    }
}
