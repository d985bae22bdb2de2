package io.mcpbridge.benchmarks;

import io.mcpbridge.message.JsonStrings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Measures the effect of one hanging server on nine others behind the same daemon: nine callers, each with its own
 * server, in rounds with and without calls to the tenth server. Takes about two minutes.
 *
 * <p>There are three versions of the tenth server: hanging with the defaults, where the breaker soon rejects its calls;
 * hanging without a breaker, where all calls wait for their time-out; and healthy. Each is called at the same rate, so
 * that they can be compared. In the last kind of round its client repeats each rejected call at once.
 */
final class OneOfTen {
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    /** Longer than the time-out, so that calls time out in every round. */
    private static final Duration ROUND = Duration.ofMillis(2_500);

    private static final int ROUNDS = 9;
    private static final int OTHERS = 9;
    private static final double WANTED = 1.2;
    private static final String SERVER = "\"%s\":{\"type\":\"unix\",\"path\":%s%s}";

    private final Peers peers = new Peers();
    private final List<RawSocket> others = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();
    private final List<List<Long>> ended = new ArrayList<>();

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
            others.add(RawSocket.calling(front, name + "__echo"));
        }
        for (var name : List.of("not called", "well", "hanging", "hanging, no breaker", "hanging, repeated at once")) {
            rows.add(new Row("nine, tenth " + name, others));
            ended.add(new ArrayList<>());
        }
    }

    /** Each round has every kind once and starts with another one, so that their order varies. */
    private void run() throws IOException, InterruptedException {
        for (int kind = 0; kind < rows.size(); kind++) {
            var tenth = tenth(kind);
            try (tenth) {
                rows.get(kind).warmUp(WARM_UP);
            }
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < rows.size(); i++) {
                measure((round + i) % rows.size());
            }
        }
    }

    private void measure(int kind) throws IOException, InterruptedException {
        try (var tenth = tenth(kind)) {
            rows.get(kind).measure(ROUND);
            ended.get(kind).add(tenth.ended());
        }
    }

    /** The client of the tenth server in a round of this kind. */
    private BackgroundClient tenth(int kind) throws IOException {
        return switch (kind) {
            case 0 -> BackgroundClient.silent(front);
            case 1 -> BackgroundClient.paced(front, "well__echo");
            case 2 -> BackgroundClient.paced(front, "tenth__echo");
            case 3 -> BackgroundClient.paced(front, "bare__echo");
            default -> BackgroundClient.comingBack(front, "tenth__echo");
        };
    }

    private void print() {
        Goals.say(
                "%d rounds of %d ms after %d s of each kind, medians; %d calls a second to the tenth, time-out 2 s; in the last row %d at a time%n"
                        .formatted(
                                ROUNDS,
                                ROUND.toMillis(),
                                WARM_UP.toSeconds(),
                                BackgroundClient.RATE,
                                BackgroundClient.CALLS));
        Goals.begin(rows);
        var notCalled = rows.get(0);
        var well = rows.get(1);
        var hanging = rows.get(2);
        Goals.atMost("p99 of nine: tenth hanging / not called", WANTED, hanging.p99Beside(notCalled));
        Goals.atMost(
                "p99 of nine: tenth hanging, no breaker / not called",
                WANTED,
                rows.get(3).p99Beside(notCalled));
        Goals.atMost("p99 of nine: tenth hanging / well, same rate", WANTED, hanging.p99Beside(well));
        Goals.atMost("errors of nine", 0, (double)
                rows.stream().mapToLong(Row::errors).sum());
        Goals.say("%nFor comparison, p99 of nine: tenth well / not called %.2f; repeated at once / not called %.2f"
                .formatted(well.p99Beside(notCalled), rows.get(4).p99Beside(notCalled)));
        Goals.say("Calls to the tenth that ended, by kind and round: %s%n".formatted(ended));
    }

    private static String server(String name, Path socket, String more) {
        return SERVER.formatted(name, JsonStrings.quote(socket.toString()), more);
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
