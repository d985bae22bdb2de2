package io.mcpbridge.cli;

import io.mcpbridge.engine.ManagedServerStatus;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.SandboxLevel;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mcp-bridge servers}: lists the servers behind the daemon. */
@Command(name = "servers", mixinStandardHelpOptions = true, description = "Lists the servers behind the daemon.")
final class ServersCommand implements Callable<Integer> {

    @Mixin
    private AdminOptions admin = new AdminOptions();

    @Mixin
    private Output output;

    ServersCommand(Output output) {
        this.output = output;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (var daemon = admin.connect()) {
            if (admin.isRaw()) {
                output.json(daemon.ask("bridge/servers"));
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
                            server.restarts(),
                            p95(server),
                            DisplayFormatter.moment(server.since()),
                            error(server)));
            table.lines().forEach(output::line);
            daemon.servers().stream().flatMap(ServersCommand::notes).forEach(output::line);
            return ExitCode.OK;
        }
    }

    /** Remarks about a server for operators, in lines that name it. */
    static Stream<String> notes(ManagedServerStatus server) {
        var quarantine = server.readings().stream()
                .filter(DisplayFormatter::isQuarantine)
                .map(GaugeReading::words);
        return Stream.concat(server.remarks().stream(), quarantine)
                .map(remark -> "note: " + VisibleText.of(naming(server.name(), remark)));
    }

    private static String naming(String server, String remark) {
        return remark.contains("'" + server + "'") ? remark : "server '%s': %s".formatted(server, remark);
    }

    /** The 95th percentile of the latency in milliseconds; empty without recent calls. */
    private static String p95(ManagedServerStatus server) {
        var latency = server.latencyMicros();
        return latency.calls() == 0
                ? ""
                : String.format(Locale.ROOT, "%.1f", latency.p95().toNanos() / 1e6);
    }

    /** The last error with its time, because the server may have recovered since. */
    private static String error(ManagedServerStatus server) {
        return server.errorAt().map(at -> DisplayFormatter.moment(at) + " ").orElse("") + server.error();
    }

    /** The era and how it was determined, such as {@code modern (discovered)}. */
    private static String era(ManagedServerStatus server) {
        return server.eraShownBy()
                .map(how -> "%s (%s)".formatted(server.era(), how))
                .orElse("");
    }
}
