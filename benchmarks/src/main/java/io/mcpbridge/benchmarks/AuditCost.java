package io.mcpbridge.benchmarks;

import io.mcpbridge.message.JsonText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the audit costs a daemon: the same calls through daemons without one, with one whose records nobody waits for, and
 * with one whose records are required, in one interleaved run of about four minutes. Daemons compile what they run for the
 * first half a minute, which on two cores costs more than the audit does, so each is warmed up for longer than that.
 *
 * <p>One sync serves all callers that wait, so what {@code required} costs a call falls with their number: a daemon without an
 * audit does most for 64 callers, one that syncs for 256. The goal is about what each does at its best.
 */
final class AuditCost {
    private static final String OFF = "off";
    private static final String BEST_EFFORT = "best-effort";
    private static final String REQUIRED = "required";

    private static final Duration WARM_UP = Duration.ofSeconds(40);
    private static final Duration SETTLING = Duration.ofSeconds(3);
    private static final Duration ROUND = Duration.ofMillis(1_500);
    private static final int ROUNDS = 5;
    private static final int MANY = 64;
    private static final int FULL = 256;

    private final Peers peers = new Peers();
    private final List<Row> rows = new ArrayList<>();
    private final Map<String, Path> fronts = new LinkedHashMap<>();

    private AuditCost() throws IOException {}

    public static void main(String[] arguments) throws Exception {
        var cost = new AuditCost();
        try {
            cost.open();
            cost.run();
        } finally {
            cost.end();
        }
    }

    private void open() throws Exception {
        var server = peers.start("unix", "tool");
        var section = "\"tool\":{\"type\":\"unix\",\"path\":%s}".formatted(JsonText.quote(server.toString()));
        for (var mode : List.of(OFF, BEST_EFFORT, REQUIRED)) {
            fronts.put(mode, peers.startDaemon(mode, section, "\"keep-alive\":\"0s\"," + audit(mode)));
        }
    }

    private String audit(String mode) {
        if (mode.equals(OFF)) {
            return "";
        }
        var path = peers.folder().resolve("trail-" + mode).toString();
        return "\"audit\":{\"sink\":\"file\",\"mode\":\"%s\",\"path\":%s},".formatted(mode, JsonText.quote(path));
    }

    private void run() throws Exception {
        var many = rows(MANY);
        for (var row : many.values()) {
            row.warmUp(WARM_UP);
        }
        var one = rows(1);
        var full = rows(FULL);
        for (var row : rows) {
            row.warmUp(SETTLING);
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (var row : rows) {
                row.measure(ROUND);
            }
        }
        Goals.begin(rows);
        Goals.atMost(
                "p50: best-effort / off, 1 caller",
                1.15,
                one.get(BEST_EFFORT).p50() / one.get(OFF).p50());
        Goals.atLeast("calls/s: best-effort / off, 64 callers", 0.85, perSecond(many, BEST_EFFORT));
        Goals.atLeast(
                "P13 calls/s: required / off, each at its best",
                0.7,
                best(REQUIRED, many, full) / best(OFF, many, full));
        Goals.beside("calls/s: required / off, 64 callers", perSecond(many, REQUIRED));
        Goals.beside("calls/s: required / off, 256 callers", perSecond(full, REQUIRED));
    }

    private static double best(String mode, Map<String, Row> some, Map<String, Row> others) {
        return Math.max(some.get(mode).perSecond(), others.get(mode).perSecond());
    }

    private static double perSecond(Map<String, Row> rows, String mode) {
        return rows.get(mode).perSecond() / rows.get(OFF).perSecond();
    }

    /** A row of so many callers for each daemon. */
    private Map<String, Row> rows(int callers) throws IOException {
        var added = new LinkedHashMap<String, Row>();
        for (var front : fronts.entrySet()) {
            var contenders = new ArrayList<RawSocket>();
            for (int i = 0; i < callers; i++) {
                contenders.add(RawSocket.calling(front.getValue(), "tool__echo", Payload.TEXT));
            }
            var row = new Row("audit " + front.getKey(), contenders);
            rows.add(row);
            added.put(front.getKey(), row);
        }
        return added;
    }

    private void end() throws IOException, InterruptedException {
        for (var row : rows) {
            row.close();
        }
        peers.end();
    }
}
