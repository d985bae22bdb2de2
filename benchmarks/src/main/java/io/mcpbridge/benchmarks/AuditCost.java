package io.mcpbridge.benchmarks;

import io.mcpbridge.benchmarks.Row.Round;
import io.mcpbridge.message.JsonStrings;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Measures the cost of the audit: the same calls over HTTP to the same stdio server through daemons with the modes
 * {@code off}, {@code best-effort} and {@code required}, in one interleaved run. JIT compilation of a daemon takes half a
 * minute, which on two cores costs more than the audit, so the warm-up is long.
 */
final class AuditCost {
    private static final Duration WARM_UP = Plan.seconds(25, 4);
    private static final Duration SETTLING = Plan.seconds(2, 1);
    private static final Duration ROUND = Plan.seconds(1.5, 0.5);
    private static final int ROUNDS = Plan.times(7, 3);
    private static final int SOME = 16;
    private static final int MANY = 64;

    private final Peers peers;

    /** A daemon with one mode, and its rows by their numbers of callers. */
    private record Mode(String name, ProcessHandle process, Row one, Row some, Row many) {

        Stream<Row> rows() {
            return Stream.of(one, some, many);
        }

        void warmUp() throws InterruptedException {
            many.warmUp(WARM_UP);
            one.warmUp(SETTLING);
        }

        void measure() throws InterruptedException {
            for (var row : rows().toList()) {
                row.measure(ROUND, process);
            }
        }

        String line() {
            return "| audit %s | %s | %.0f | %s | %.0f | %d |"
                    .formatted(
                            name,
                            one.cells(),
                            some.perSecond(),
                            many.cells(),
                            Usage.megabytes(process),
                            rows().mapToLong(Row::errors).sum());
        }
    }

    private AuditCost(Peers peers) {
        this.peers = peers;
    }

    public static void main(String[] arguments) throws Exception {
        if (Gateway.isPossible()) {
            try (var peers = new Peers()) {
                new AuditCost(peers).run();
            }
        }
    }

    private void run() throws Exception {
        var off = mode("off", "");
        var bestEffort = mode("best-effort", audit("best-effort"));
        var required = mode("required", audit("required"));
        var modes = List.of(off, bestEffort, required);
        for (var mode : modes) {
            mode.warmUp();
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (var mode : modes) {
                mode.measure();
            }
        }
        Goals.say("CPU in us a call: daemon alone, with its server.%n".formatted());
        Goals.say("| | 1 caller: calls/s | p50 us | p99 us | CPU | 16: calls/s"
                + " | 64: calls/s | p50 us | p99 us | CPU | MB after load | errors |");
        Goals.say("|---|" + "---|".repeat(11));
        modes.forEach(mode -> Goals.say(mode.line()));
        Goals.begin();
        Goals.figure("audit best-effort, 1 caller, p50 / off", bestEffort.one.ratio(Round::p50, off.one));
        Goals.atLeast(
                "audit best-effort, 64 callers, calls/s / off",
                0.92,
                bestEffort.many.ratio(Round::perSecond, off.many));
        Goals.atLeast(
                "audit required, 64 callers, calls/s / off", 0.85, required.many.ratio(Round::perSecond, off.many));
        Goals.noErrors("audit", modes.stream().flatMap(Mode::rows).toList());
    }

    private String audit(String mode) {
        var path = peers.folder().resolve("trail-" + mode).toString();
        return "\"audit\":{\"sink\":\"file\",\"mode\":\"%s\",\"path\":%s},".formatted(mode, JsonStrings.quote(path));
    }

    /** Starts a daemon; {@code settings} end with a comma. */
    private Mode mode(String name, String settings) throws Exception {
        var daemon = peers.closing(new RunningGateway(Gateway.HTTP.with(Peers.NO_PINGS + settings)));
        try (var session = daemon.awaitSession()) {
            session.confirm();
        }
        var callers = daemon.callers(MANY);
        return new Mode(
                name,
                daemon.handle(),
                row(name, callers.subList(0, 1)),
                row(name, callers.subList(0, SOME)),
                row(name, callers));
    }

    private Row row(String name, List<Contender> callers) {
        return peers.closing(new Row("audit " + name, callers));
    }
}
