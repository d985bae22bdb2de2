package io.mcpbridge.benchmarks;

import io.mcpbridge.message.JsonText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What nine servers behind one daemon lose by a tenth that takes calls and never answers them: nine callers, each at
 * its own server, in rounds in which nobody calls the tenth and in rounds in which one client always does. Lasts about
 * a minute.
 *
 * <p>The tenth is there three times: with the defaults, where the breaker soon refuses its calls and tries again later;
 * without a breaker, where all calls hang until their time-out; and well. It is called at the same rate in each of these,
 * so that they can be compared. In a last kind of round its client comes back right after each refusal, which is a
 * load that no server of its own could make.
 */
final class OneOfTen {
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    /** Longer than the time-out, so that calls end by it in every round. */
    private static final Duration ROUND = Duration.ofMillis(2_500);

    private static final int ROUNDS = 5;
    private static final int OTHERS = 9;
    private static final double WANTED = 1.2;
    private static final String SERVER = "\"%s\":{\"type\":\"unix\",\"path\":%s%s}";

    private final Peers peers = new Peers();
    private final List<RawSocket> others = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();
    private final List<Long> ended = new ArrayList<>();

    private Path front = Path.of("");

    private OneOfTen() throws IOException {}

    public static void main(String[] arguments) throws Exception {
        var benchmark = new OneOfTen();
        try {
            benchmark.open();
            benchmark.run();
            benchmark.print();
        } finally {
            benchmark.end();
        }
    }

    private void open() throws IOException, InterruptedException {
        var names = IntStream.rangeClosed(1, OTHERS).mapToObj(i -> "s" + i).toList();
        var sockets = peers.start(
                "unix", Stream.concat(names.stream(), Stream.of("well")).toList());
        var tenth = peers.start("hanging", "s10");
        var servers = new ArrayList<String>();
        for (int i = 0; i < OTHERS; i++) {
            servers.add(server(names.get(i), sockets.get(i), ""));
        }
        servers.add(server("tenth", tenth, ",\"timeout\":\"2s\""));
        servers.add(server("bare", tenth, ",\"timeout\":\"2s\",\"breaker\":\"none\""));
        servers.add(server("well", sockets.get(OTHERS), ""));
        front = peers.startDaemon(String.join(",", servers), "");
        for (var name : names) {
            others.add(RawSocket.calling(front, name + "__echo", Payload.TEXT));
        }
        for (var name :
                List.of("not called", "well", "hanging", "hanging, no breaker", "hanging, called again at once")) {
            rows.add(new Row("nine, tenth " + name, others));
        }
    }

    private void run() throws IOException, InterruptedException {
        rows.get(0).warmUp(WARM_UP);
        for (int round = 0; round < ROUNDS; round++) {
            rows.get(0).measure(ROUND);
            measure(rows.get(1), TenthClient.paced(front, "well__echo"));
            measure(rows.get(2), TenthClient.paced(front, "tenth__echo"));
            measure(rows.get(3), TenthClient.paced(front, "bare__echo"));
            measure(rows.get(4), TenthClient.comingBack(front, "tenth__echo"));
        }
    }

    private void measure(Row row, TenthClient tenth) throws IOException, InterruptedException {
        try (tenth) {
            row.measure(ROUND);
            ended.add(tenth.ended());
        }
    }

    private void print() {
        Goals.say(
                "%d rounds of %d ms after %d s, medians; %d calls a second to the tenth, time-out 2 s; in the last row %d at a time%n"
                        .formatted(ROUNDS, ROUND.toMillis(), WARM_UP.toSeconds(), TenthClient.RATE, TenthClient.CALLS));
        Goals.begin(rows);
        var without = rows.get(0).p99();
        Goals.atMost(
                "p99 of nine: tenth hanging / not called", WANTED, rows.get(2).p99() / without);
        Goals.atMost(
                "p99 of nine: tenth hanging, no breaker / not called",
                WANTED,
                rows.get(3).p99() / without);
        Goals.atMost(
                "p99 of nine: tenth hanging / well, same rate",
                WANTED,
                rows.get(2).p99() / rows.get(1).p99());
        Goals.atMost("errors of nine", 0, (double)
                rows.stream().mapToLong(Row::errors).sum());
        Goals.say("%nFor comparison, p99 of nine: tenth well / not called %.2f; called again at once / not called %.2f"
                .formatted(rows.get(1).p99() / without, rows.get(4).p99() / without));
        Goals.say("Calls to the tenth that ended, by round and row: %s%n".formatted(ended));
    }

    private static String server(String name, Path socket, String more) {
        return SERVER.formatted(name, JsonText.quote(socket.toString()), more);
    }

    private void end() throws IOException, InterruptedException {
        for (var row : rows) {
            row.close();
        }
        for (var other : others) {
            other.close();
        }
        peers.end();
    }
}
