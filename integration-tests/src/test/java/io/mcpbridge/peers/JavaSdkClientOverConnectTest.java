package io.mcpbridge.peers;

import io.modelcontextprotocol.spec.McpClientTransport;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The official Java SDK in front of {@code mcp-bridge connect}, which it starts itself. */
class JavaSdkClientOverConnectTest extends JavaSdkClientContract {

    @RegisterExtension
    static final TestDaemon DAEMON = new TestDaemon().server("java", SdkStdioServer::command);

    @Override
    protected TestDaemon daemon() {
        return DAEMON;
    }

    @Override
    protected McpClientTransport transport() {
        return SdkClient.stdio(JavaCommand.mcpBridge(
                "connect",
                "--mcp-client-id",
                "ann",
                "--mcp-bridge-socket",
                DAEMON.socket().toString()));
    }
}
