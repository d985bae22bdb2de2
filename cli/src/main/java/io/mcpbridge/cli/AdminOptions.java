package io.mcpbridge.cli;

import io.mcpbridge.cli.relay.AbsentDaemon;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.gateway.DaemonClient;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of the subcommands that query the daemon over its administrative socket. */
final class AdminOptions {

    @Mixin
    private DaemonClientOptions daemon = new DaemonClientOptions();

    @Option(names = "--json", description = "Print the raw JSON of the daemon.")
    private boolean isRaw;

    boolean isRaw() {
        return isRaw;
    }

    DaemonClient connect() throws InterruptedException {
        var socket = daemon.path();
        try {
            return DaemonClient.connect(DaemonClient.socketBeside(socket));
        } catch (TransportException failed) {
            throw AbsentDaemon.explain(socket, failed);
        }
    }
}
