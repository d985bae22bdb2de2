package io.mcpbridge.cli;

import io.mcpbridge.gateway.ServerRecord;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.SandboxLevel;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mcp-bridge servers}: the servers behind the daemon. */
@Command(name = "servers", mixinStandardHelpOptions = true, description = "Lists the servers behind the daemon.")
final class ServersCommand implements Callable<Integer> {

    @Mixin
    private AdminOption admin;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws InterruptedException {
        try (var daemon = admin.connect()) {
            if (admin.isRaw()) {
                output.line(daemon.ask("bridge/servers"));
                return ExitCode.OK;
            }
            var table = new Table(
                    "SERVER",
                    "STATE",
                    "TRANSPORT",
                    "PROTOCOL",
                    "ERA",
                    "PID",
                    "SANDBOX",
                    "SESSIONS",
                    "IN FLIGHT",
                    "RESTARTS",
                    "P95 MS",
                    "SINCE",
                    "LAST ERROR");
            daemon.servers()
                    .forEach(server -> table.row(
                            server.name(),
                            server.state(),
                            server.type(),
                            server.protocol(),
                            era(server),
                            server.pid().isPresent() ? server.pid().getAsLong() : "",
                            server.sandbox().map(SandboxLevel::name).orElse(""),
                            server.sessions(),
                            server.callsInFlight(),
                            server.figures().vitals().restarts(),
                            most(server),
                            Shown.moment(server.since()),
                            error(server)));
            table.lines().forEach(output::line);
            daemon.servers().stream().flatMap(ServersCommand::notes).forEach(output::line);
            return ExitCode.OK;
        }
    }

    /** What an operator should know of a server, in lines that name it. */
    static Stream<String> notes(ServerRecord server) {
        var quarantine =
                server.figures().readings().stream().filter(Shown::isQuarantine).map(Reading::words);
        return Stream.concat(server.remarks().stream(), quarantine)
                .map(remark -> "note: " + Table.printable(naming(server.name(), remark)));
    }

    private static String naming(String server, String remark) {
        return remark.contains("'" + server + "'") ? remark : "server '%s': %s".formatted(server, remark);
    }

    /** How long 95 of 100 calls took at the most, where there were calls of late. */
    private static String most(ServerRecord server) {
        var latency = server.figures().vitals().latency();
        return latency.calls() == 0
                ? ""
                : String.format(Locale.ROOT, "%.1f", latency.most().toNanos() / 1e6);
    }

    /** The last error with its moment, since it may be over. */
    private static String error(ServerRecord server) {
        return server.errorAt().map(at -> Shown.moment(at) + " ").orElse("") + server.error();
    }

    /** The era with what showed it, such as {@code modern (discovered)}. */
    private static String era(ServerRecord server) {
        return server.era().isEmpty() ? "" : "%s (%s)".formatted(server.era(), server.eraShownBy());
    }
}
