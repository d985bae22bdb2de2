package io.mcpbridge.cli;

import io.mcpbridge.Connection;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolResult;
import java.util.List;
import java.util.Map;

/** What lists and calls tools for a subcommand: the daemon, or one server. For one thread. */
interface ToolTarget extends AutoCloseable {
    List<ToolDefinition> listTools() throws InterruptedException;

    ToolResult callTool(String name, Map<String, ?> arguments) throws InterruptedException;

    @Override
    void close();

    /** The server of a connection, which it closes. */
    static ToolTarget of(Connection connection) {
        return new ToolTarget() {
            @Override
            public List<ToolDefinition> listTools() throws InterruptedException {
                return connection.listTools();
            }

            @Override
            public ToolResult callTool(String name, Map<String, ?> arguments) throws InterruptedException {
                return connection.callTool(name, arguments);
            }

            @Override
            public void close() {
                connection.close();
            }
        };
    }
}
