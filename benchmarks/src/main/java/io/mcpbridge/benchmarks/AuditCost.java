package io.mcpbridge.benchmarks;

import io.mcpbridge.benchmarks.Row.Round;
import io.mcpbridge.message.JsonStrings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the cost of the audit: the same calls over HTTP to the same stdio server through daemons with the modes
 * {@code off}, {@code best-effort} and {@code required}, in one interleaved run. JIT compilation of a daemon takes half a
 * minute, which on two cores costs more than the audit, so the warm-up is long.
 */
final class AuditCost {
    private static final Duration WARM_UP = Plan.seconds(25, 4);
    private static final Duration SETTLING = Plan.seconds(2, 1);
    private static final Duration ROUND = Plan.seconds(1.5, 0.7);
    private static final int ROUNDS = Plan.times(7, 3);
    private static final int MANY = 64;

    private final Peers peers;
    private final List<Row> rows = new ArrayList<>();

    /** The rows for one number of callers, one per daemon. */
    private record Modes(Row off, Row bestEffort, Row required) {
        void warmUp(Duration span) throws InterruptedException {
            for (var row : List.of(off, bestEffort, required)) {
                row.warmUp(span);
            }
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

    /** The callers of a daemon; {@code audit} ends with a comma. */
    private List<Contender> callers(String audit) throws Exception {
        var daemon = peers.closing(new RunningGateway(Gateway.HTTP.with(Peers.NO_PINGS + audit)));
        try (var session = daemon.awaitSession()) {
            session.confirm();
        }
        return daemon.callers(MANY);
    }

    private String audit(String mode) {
        var path = peers.folder().resolve("trail-" + mode).toString();
        return "\"audit\":{\"sink\":\"file\",\"mode\":\"%s\",\"path\":%s},".formatted(mode, JsonStrings.quote(path));
    }

    private void run() throws Exception {
        var callers = List.of(callers(""), callers(audit("best-effort")), callers(audit("required")));
        var many = rows(MANY, callers);
        many.warmUp(WARM_UP);
        var one = rows(1, callers);
        one.warmUp(SETTLING);
        for (int round = 0; round < ROUNDS; round++) {
            for (var row : rows) {
                row.measure(ROUND);
            }
        }
        Goals.table(rows);
        Goals.figure("audit best-effort, 1 caller, p50 / off", one.bestEffort.ratio(Round::p50, one.off));
        Goals.atLeast(
                "audit best-effort, 64 callers, calls/s / off",
                0.92,
                many.bestEffort.ratio(Round::perSecond, many.off));
        Goals.atLeast(
                "audit required, 64 callers, calls/s / off", 0.85, many.required.ratio(Round::perSecond, many.off));
        Goals.noErrors("audit", rows);
    }

    private Modes rows(int count, List<List<Contender>> callers) {
        return new Modes(
                row("audit off", callers.get(0).subList(0, count)),
                row("audit best-effort", callers.get(1).subList(0, count)),
                row("audit required", callers.get(2).subList(0, count)));
    }

    private Row row(String name, List<Contender> callers) {
        var row = peers.closing(new Row(name, callers));
        rows.add(row);
        return row;
    }
}
