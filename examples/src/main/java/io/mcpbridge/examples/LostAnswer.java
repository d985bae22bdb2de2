package io.mcpbridge.examples;

import io.mcpbridge.CallOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.message.Era;
import io.mcpbridge.testkit.faulty.FaultProxy;
import io.mcpbridge.testkit.faulty.FaultScript;
import io.mcpbridge.testkit.faulty.FaultyServer;
import io.mcpbridge.testkit.faulty.FaultyServerMain;
import io.mcpbridge.testkit.faulty.Toxic;
import java.util.Map;

/** Shows failures of servers and networks from the caller's view, with the faults of the testkit. */
public final class LostAnswer {

    private LostAnswer() {}

    /** The number of executions of a call whose response was lost. */
    public static int executions() throws InterruptedException {
        try (var server = FaultyServer.overHttp(Era.LEGACY, FaultScript.NONE);
                var proxy = FaultProxy.before(server.uri());
                var client = Connection.to(proxy.uri())) {
            proxy.once("tools/call", new Toxic.ResetAfter());
            try {
                client.callTool("count", Map.of("key", "order 17"), CallOptions.DEFAULTS.withMaxAttempts(1));
            } catch (CallException failed) {
                return server.ledger().executions("order 17");
            }
            throw new AssertionError("the answer came");
        }
    }

    /** The error message for a child process that ended during a call. */
    public static String endOfAChild() throws InterruptedException {
        var command = FaultyServerMain.command("--at", "on-request=exit:7");
        try (var client = Connection.toCommand(command, ConnectionOptions.DEFAULTS)) {
            return client.callTool("echo", Map.of("text", "hello"), CallOptions.DEFAULTS.withMaxAttempts(1))
                    .text();
        } catch (CallException failed) {
            return failed.failure().message();
        }
    }
}
