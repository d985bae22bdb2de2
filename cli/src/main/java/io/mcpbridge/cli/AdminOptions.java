package io.mcpbridge.cli;

import io.mcpbridge.gateway.AdminClient;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of the subcommands that query the daemon over its administrative socket. */
final class AdminOptions {

    @Mixin
    private DaemonClientOptions daemon;

    @Option(names = "--json", description = "Print the raw JSON of the daemon.")
    private boolean isRaw;

    boolean isRaw() {
        return isRaw;
    }

    AdminClient connect() throws InterruptedException {
        return AdminClient.connect(AdminClient.socketBeside(daemon.path()));
    }
}
