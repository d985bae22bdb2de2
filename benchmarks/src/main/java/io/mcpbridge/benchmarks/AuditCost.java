package io.mcpbridge.benchmarks;

import io.mcpbridge.message.JsonStrings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the cost of the audit: the same calls through daemons with the modes {@code off}, {@code best-effort} and
 * {@code required}, in one interleaved run. JIT compilation of a daemon takes half a minute, which on two cores costs
 * more than the audit, so the warm-up is long.
 */
final class AuditCost {
    private static final Duration WARM_UP = Plan.seconds(25, 6);
    private static final Duration SETTLING = Plan.seconds(2, 1);
    private static final Duration ROUND = Plan.seconds(1.5, 0.7);
    private static final int ROUNDS = Plan.times(7, 3);
    private static final int MANY = 64;

    private final Peers peers = new Peers();
    private final List<Row> rows = new ArrayList<>();

    /** The rows for one number of callers, one per daemon. */
    private record Rows(Row off, Row bestEffort, Row required) {
        void warmUp(Duration span) throws InterruptedException {
            for (var row : List.of(off, bestEffort, required)) {
                row.warmUp(span);
            }
        }
    }

    /** The sockets of the daemons. */
    private record Sockets(Path off, Path bestEffort, Path required) {}

    private AuditCost() throws IOException {}

    public static void main(String[] arguments) throws Exception {
        var cost = new AuditCost();
        try {
            cost.run(cost.open());
        } finally {
            cost.end();
        }
    }

    private Sockets open() throws Exception {
        var server = peers.start("unix", "tool");
        var section = "\"tool\":{\"type\":\"unix\",\"path\":%s}".formatted(JsonStrings.quote(server.toString()));
        return new Sockets(
                daemon("off", section, ""),
                daemon("best-effort", section, audit("best-effort")),
                daemon("required", section, audit("required")));
    }

    private Path daemon(String name, String section, String audit) throws Exception {
        return peers.startDaemon(name, section, "\"keep-alive\":\"0s\"," + audit);
    }

    private String audit(String mode) {
        var path = peers.folder().resolve("trail-" + mode).toString();
        return "\"audit\":{\"sink\":\"file\",\"mode\":\"%s\",\"path\":%s},".formatted(mode, JsonStrings.quote(path));
    }

    private void run(Sockets sockets) throws Exception {
        var many = rows(MANY, sockets);
        many.warmUp(WARM_UP);
        var one = rows(1, sockets);
        one.warmUp(SETTLING);
        for (int round = 0; round < ROUNDS; round++) {
            for (var row : rows) {
                row.measure(ROUND);
            }
        }
        Goals.begin(rows);
        Goals.beside(
                "audit best-effort, 1 caller, p50 / off",
                one.bestEffort().p50() / one.off().p50());
        Goals.atLeast(
                "audit best-effort, 64 callers, calls/s / off",
                0.92,
                many.bestEffort().perSecond() / many.off().perSecond());
        Goals.atLeast(
                "audit required, 64 callers, calls/s / off",
                0.85,
                many.required().perSecond() / many.off().perSecond());
        Goals.noErrors("audit", rows.stream().mapToLong(Row::errors).sum());
    }

    private Rows rows(int callers, Sockets sockets) throws IOException {
        return new Rows(
                row("audit off", callers, sockets.off()),
                row("audit best-effort", callers, sockets.bestEffort()),
                row("audit required", callers, sockets.required()));
    }

    private Row row(String name, int callers, Path front) throws IOException {
        var contenders = new ArrayList<RawSocket>();
        for (int i = 0; i < callers; i++) {
            contenders.add(RawSocket.calling(front, "tool__echo"));
        }
        var row = new Row(name, contenders);
        rows.add(row);
        return row;
    }

    private void end() throws IOException, InterruptedException {
        for (var row : rows) {
            row.close();
        }
        peers.end();
    }
}
