package io.mcpbridge.cli;

import io.mcpbridge.cli.relay.Relay;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mcp-bridge connect}: relays a desktop client on standard input and output to the running daemon. */
@Command(
        name = "connect",
        mixinStandardHelpOptions = true,
        description =
                "Connects standard input and output to the running daemon, for desktop clients. Survives a restart of"
                        + " the daemon.")
final class ConnectCommand implements Callable<Integer> {

    @Mixin
    private DaemonClientOptions daemon;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws InterruptedException {
        try (var relay = Relay.open(
                daemon.path(), daemon.clientId(), daemon.file(), message -> output.error("mcp-bridge: " + message))) {
            relay.awaitEnd();
            return ExitCode.OK;
        }
    }
}
