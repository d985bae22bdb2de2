package io.mcpbridge.cli;

import io.mcpbridge.gateway.AdminClient;
import io.mcpbridge.gateway.AdminSocket;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a subcommand asks the daemon about itself. */
final class AdminOption {

    @Mixin
    private DaemonOption daemon;

    @Option(names = "--json", description = "Print the daemon's answer as it is.")
    private boolean isRaw;

    boolean isRaw() {
        return isRaw;
    }

    AdminClient connect() throws InterruptedException {
        return AdminClient.connect(AdminSocket.beside(daemon.path()));
    }
}
