package io.mcpbridge.benchmarks;

import io.mcpbridge.message.JsonText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the audit costs a daemon: the same calls through daemons without one, with one whose records nobody waits for, and
 * with one whose records are required, in one interleaved run of over two minutes. Daemons compile what they run for the
 * first fifteen seconds, which on two cores costs more than the audit does, so each is warmed up for longer than that.
 */
final class AuditCost {
    private static final Duration WARM_UP = Duration.ofSeconds(15);
    private static final Duration ROUND = Duration.ofMillis(1_500);
    private static final int ROUNDS = 5;
    private static final int MANY = 64;

    private final Peers peers = new Peers();
    private final List<Row> rows = new ArrayList<>();

    private AuditCost() throws IOException {}

    public static void main(String[] arguments) throws Exception {
        var cost = new AuditCost();
        try {
            cost.open();
            cost.run();
            cost.print();
        } finally {
            cost.end();
        }
    }

    private void open() throws Exception {
        var server = peers.start("unix", "tool");
        var section = "\"tool\":{\"type\":\"unix\",\"path\":%s}".formatted(JsonText.quote(server.toString()));
        var fronts = new ArrayList<Path>();
        for (var mode : List.of("off", "best-effort", "required")) {
            fronts.add(peers.startDaemon(mode, section, "\"keep-alive\":\"0s\"," + audit(mode)));
        }
        for (int callers : new int[] {1, MANY}) {
            add("audit off", callers, fronts.get(0));
            add("audit best-effort", callers, fronts.get(1));
            add("audit required", callers, fronts.get(2));
        }
    }

    private String audit(String mode) {
        if (mode.equals("off")) {
            return "";
        }
        var path = peers.folder().resolve("trail-" + mode).toString();
        return "\"audit\":{\"sink\":\"file\",\"mode\":\"%s\",\"path\":%s},".formatted(mode, JsonText.quote(path));
    }

    private void add(String name, int callers, Path front) throws IOException {
        var contenders = new ArrayList<RawSocket>();
        for (int i = 0; i < callers; i++) {
            contenders.add(RawSocket.calling(front, "tool__echo", Payload.TEXT));
        }
        rows.add(new Row(name, contenders));
    }

    private void run() throws InterruptedException {
        for (var row : rows) {
            row.warmUp(WARM_UP);
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (var row : rows) {
                row.measure(ROUND);
            }
        }
    }

    private void print() {
        Goals.begin(rows);
        Row offAlone = rows.get(0), effortAlone = rows.get(1), off = rows.get(3), effort = rows.get(4);
        Goals.atMost("p50: best-effort / off, 1 caller", 1.15, effortAlone.p50() / offAlone.p50());
        Goals.atLeast("calls/s: best-effort / off, 64 callers", 0.85, effort.perSecond() / off.perSecond());
        Goals.atLeast(
                "P13 calls/s: required / off, 64 callers", 0.7, rows.get(5).perSecond() / off.perSecond());
    }

    private void end() throws IOException, InterruptedException {
        for (var row : rows) {
            row.close();
        }
        peers.end();
    }
}
