package io.mcpbridge.examples;

import io.mcpbridge.CallOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.CallTimedOutException;
import io.mcpbridge.tool.ToolResult;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Calls a tool of one server. */
public final class OneServer {

    private OneServer() {}

    /** Connects over a Unix socket or HTTP. */
    public static String echo(URI address, String message) throws InterruptedException {
        try (var server = Connection.to(address)) {
            ToolResult result = server.callTool("echo", Map.of("message", message));
            return result.text();
        }
    }

    /** Starts a server as a child process, which ends with the connection. */
    public static String echo(List<String> command, String message) throws InterruptedException {
        try (var server = Connection.toCommand(command, ConnectionOptions.DEFAULTS)) {
            return server.callTool("echo", Map.of("message", message)).text();
        }
    }

    /** What the demonstration's server says of itself. */
    record Origin(String server, Optional<String> version) {}

    /** Reads the structured content of a result. */
    public static String origin(Connection server) throws InterruptedException {
        return server.callTool("echo", Map.of("message", "hello"))
                .as(Origin.class)
                .server();
    }

    /** Distinguishes failures by type. */
    public static String withTimeout(Connection server) throws InterruptedException {
        var options = CallOptions.DEFAULTS.withTimeout(Duration.ofSeconds(5)).withMaxAttempts(2);
        try {
            return server.callTool("echo", Map.of("message", "hello"), options).text();
        } catch (CallTimedOutException late) {
            return "no answer within 5 seconds, tried " + late.attempts() + " times";
        } catch (CallException failed) {
            return failed.delivery() + ": " + failed.getMessage();
        }
    }
}
