package io.mcpbridge.benchmarks;

import io.mcpbridge.message.JsonStrings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the cost of the audit: the same calls through daemons with the modes {@code off}, {@code best-effort} and
 * {@code required}, in one interleaved run of about four minutes. JIT compilation of a daemon takes half a minute,
 * which on two cores costs more than the audit, so the warm-up is longer.
 *
 * <p>One sync serves all waiting callers, so the cost of {@code required} per call falls with their number: a daemon
 * without audit has its best throughput with 64 callers, one that syncs with 256. The goal compares the best of each.
 */
final class AuditCost {
    private static final Duration WARM_UP = Duration.ofSeconds(40);
    private static final Duration SETTLING = Duration.ofSeconds(3);
    private static final Duration ROUND = Duration.ofMillis(1_500);
    private static final int ROUNDS = 5;
    private static final int MANY = 64;
    private static final int FULL = 256;

    private final Peers peers = new Peers();
    private final List<Row> rows = new ArrayList<>();

    /** The rows for one number of callers, one per daemon. */
    private record Rows(Row off, Row bestEffort, Row required) {
        void warmUp(Duration span) throws InterruptedException {
            for (var row : List.of(off, bestEffort, required)) {
                row.warmUp(span);
            }
        }

        double requiredBesideOff() {
            return required.perSecond() / off.perSecond();
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
        var full = rows(FULL, sockets);
        one.warmUp(SETTLING);
        full.warmUp(SETTLING);
        for (int round = 0; round < ROUNDS; round++) {
            for (var row : rows) {
                row.measure(ROUND);
            }
        }
        Goals.begin(rows);
        Goals.atMost(
                "p50: best-effort / off, 1 caller",
                1.15,
                one.bestEffort().p50() / one.off().p50());
        Goals.atLeast(
                "calls/s: best-effort / off, 64 callers",
                0.85,
                many.bestEffort().perSecond() / many.off().perSecond());
        Goals.atLeast(
                "P13 calls/s: required / off, each at its best",
                0.7,
                best(many.required(), full.required()) / best(many.off(), full.off()));
        Goals.beside("calls/s: required / off, 64 callers", many.requiredBesideOff());
        Goals.beside("calls/s: required / off, 256 callers", full.requiredBesideOff());
    }

    private static double best(Row one, Row other) {
        return Math.max(one.perSecond(), other.perSecond());
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
            contenders.add(RawSocket.calling(front, "tool__echo", Payload.TEXT));
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
