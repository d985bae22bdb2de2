package io.mcpbridge.benchmarks;

import io.mcpbridge.message.JsonText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the audit costs a daemon: the same calls through daemons without one, with one whose records nobody waits for, and
 * with one whose records are required, in one interleaved run of about four minutes. Daemons compile what they run for the
 * first half a minute, which on two cores costs more than the audit does, so each is warmed up for longer than that.
 *
 * <p>One sync serves all callers that wait, so what {@code required} costs a call falls with their number: a daemon without an
 * audit does most for 64 callers, one that syncs for 256. The goal is about what each does at its best.
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

    /** The rows of so many callers, one for each daemon. */
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

    /** Where the daemons are reached. */
    private record Fronts(Path off, Path bestEffort, Path required) {}

    private AuditCost() throws IOException {}

    public static void main(String[] arguments) throws Exception {
        var cost = new AuditCost();
        try {
            cost.run(cost.open());
        } finally {
            cost.end();
        }
    }

    private Fronts open() throws Exception {
        var server = peers.start("unix", "tool");
        var section = "\"tool\":{\"type\":\"unix\",\"path\":%s}".formatted(JsonText.quote(server.toString()));
        return new Fronts(
                daemon("off", section, ""),
                daemon("best-effort", section, audit("best-effort")),
                daemon("required", section, audit("required")));
    }

    private Path daemon(String name, String section, String audit) throws Exception {
        return peers.startDaemon(name, section, "\"keep-alive\":\"0s\"," + audit);
    }

    private String audit(String mode) {
        var path = peers.folder().resolve("trail-" + mode).toString();
        return "\"audit\":{\"sink\":\"file\",\"mode\":\"%s\",\"path\":%s},".formatted(mode, JsonText.quote(path));
    }

    private void run(Fronts fronts) throws Exception {
        var many = rows(MANY, fronts);
        many.warmUp(WARM_UP);
        var one = rows(1, fronts);
        var full = rows(FULL, fronts);
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

    private Rows rows(int callers, Fronts fronts) throws IOException {
        return new Rows(
                row("audit off", callers, fronts.off()),
                row("audit best-effort", callers, fronts.bestEffort()),
                row("audit required", callers, fronts.required()));
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
