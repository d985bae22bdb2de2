package io.mcpbridge.benchmarks;

import io.mcpbridge.benchmarks.Row.Round;
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
 * that they can be compared.
 */
final class OneOfTen {
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    /** Longer than the time-out, so that calls time out in every round. */
    private static final Duration ROUND = Duration.ofMillis(2_500);

    private static final int ROUNDS = 9;
    private static final int OTHERS = 9;
    private static final double WANTED = 1.2;
    private static final String SERVER = "\"%s\":{\"type\":\"unix\",\"path\":%s%s}";

    private final Path front;
    private final Tenth notCalled;
    private final Tenth well;
    private final Tenth hanging;
    private final Tenth noBreaker;
    private final List<Tenth> all;

    /** What happens to the tenth server, and what that does to the others. */
    private record Tenth(Row others, String tool, List<Long> ended) {}

    private OneOfTen(Peers peers) throws IOException, InterruptedException {
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
        var others = new ArrayList<RawSocket>();
        for (var name : names) {
            others.add(RawSocket.calling(front, name + "__echo"));
        }
        notCalled = tenth(peers, "not called", others, "");
        well = tenth(peers, "well", others, "well__echo");
        hanging = tenth(peers, "hanging", others, "tenth__echo");
        noBreaker = tenth(peers, "hanging, no breaker", others, "bare__echo");
        all = List.of(notCalled, well, hanging, noBreaker);
    }

    private static String server(String name, Path socket, String more) {
        return SERVER.formatted(name, JsonStrings.quote(socket.toString()), more);
    }

    private static Tenth tenth(Peers peers, String name, List<RawSocket> others, String tool) {
        return new Tenth(peers.closing(new Row("nine, tenth " + name, others)), tool, new ArrayList<>());
    }

    public static void main(String[] arguments) throws Exception {
        try (var peers = new Peers()) {
            var benchmark = new OneOfTen(peers);
            benchmark.run();
            benchmark.print();
        }
    }

    /** Each round has every kind once and starts with another one, so that their order varies. */
    private void run() throws IOException, InterruptedException {
        for (var tenth : all) {
            var client = client(tenth);
            try (client) {
                tenth.others.warmUp(WARM_UP);
            }
        }
        for (int i = 0; i < ROUNDS * all.size(); i++) {
            var tenth = all.get((i / all.size() + i) % all.size());
            try (var client = client(tenth)) {
                tenth.others.measure(ROUND);
                tenth.ended.add(client.ended());
            }
        }
    }

    private BackgroundClient client(Tenth tenth) throws IOException {
        return tenth.tool.isEmpty() ? BackgroundClient.silent(front) : BackgroundClient.paced(front, tenth.tool);
    }

    private void print() {
        Goals.say("%d rounds of %d ms after %d s of each kind, medians; %d calls a second to the tenth, time-out 2 s%n"
                .formatted(ROUNDS, ROUND.toMillis(), WARM_UP.toSeconds(), BackgroundClient.RATE));
        var rows = all.stream().map(Tenth::others).toList();
        Goals.table(rows);
        Goals.atMost("p99 of nine: tenth hanging / not called", WANTED, p99(hanging, notCalled));
        Goals.atMost("p99 of nine: tenth hanging, no breaker / not called", WANTED, p99(noBreaker, notCalled));
        Goals.atMost("p99 of nine: tenth hanging / well, same rate", WANTED, p99(hanging, well));
        Goals.figure("p99 of nine: tenth well / not called", p99(well, notCalled));
        Goals.noErrors("nine", rows);
        Goals.say("Calls to the tenth that ended, by kind and round: %s%n"
                .formatted(all.stream().map(Tenth::ended).toList()));
    }

    private static double p99(Tenth some, Tenth other) {
        return some.others.ratio(Round::p99, other.others);
    }
}
