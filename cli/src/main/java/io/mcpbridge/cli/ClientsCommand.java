package io.mcpbridge.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mcp-bridge clients}: lists the clients of the daemon. */
@Command(name = "clients", mixinStandardHelpOptions = true, description = "Lists the clients of the daemon.")
final class ClientsCommand implements Callable<Integer> {

    @Mixin
    private AdminOptions admin = new AdminOptions();

    @Mixin
    private Output output;

    ClientsCommand(Output output) {
        this.output = output;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (var daemon = admin.connect()) {
            if (admin.isRaw()) {
                output.json(daemon.ask("bridge/clients"));
                return ExitCode.OK;
            }
            var table = new Table("CLIENT", "ID", "NAME", "VERSION", "PROTOCOL", "USER", "OVER", "IN FLIGHT", "SINCE");
            daemon.clients()
                    .forEach(client -> table.row(
                            client.session(),
                            client.clientId(),
                            client.name(),
                            client.version(),
                            client.protocol(),
                            client.principal().name(),
                            client.network(),
                            client.callsInFlight(),
                            DisplayFormatter.moment(client.since())));
            table.lines().forEach(output::line);
            return ExitCode.OK;
        }
    }
}
