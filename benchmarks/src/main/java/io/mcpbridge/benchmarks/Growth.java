package io.mcpbridge.benchmarks;

import io.mcpbridge.message.JsonStrings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures what a call costs behind a gateway of 1, 100 and 1,000 servers with ten tools each, by one caller over Unix
 * sockets, and the memory of idle clients.
 */
final class Growth {
    private static final List<Integer> SERVERS = List.of(1, 100, 1_000);
    private static final Duration WARM_UP = Plan.seconds(6, 2);
    private static final Duration ROUND = Plan.seconds(0.5, 0.3);
    private static final int ROUNDS = Plan.times(21, 7);
    private static final int IDLE = Plan.times(10_000, 2_000);
    private static final int SPARE_FILES = 1_000;
    /** Until the memory of the gateway no longer changes. */
    private static final Duration REST = Plan.seconds(10, 3);

    private static final String SETTINGS = Peers.NO_PINGS + "\"limits\":{\"connections\":20000},";

    private final Peers peers;
    private final List<Row> rows = new ArrayList<>();

    private Growth(Peers peers) {
        this.peers = peers;
    }

    public static void main(String[] arguments) throws Exception {
        try (var peers = new Peers()) {
            new Growth(peers).run();
        }
    }

    private void run() throws Exception {
        var names = IntStream.range(0, SERVERS.get(SERVERS.size() - 1))
                .mapToObj("s%d"::formatted)
                .toList();
        var sockets = peers.start("unix", names);
        add("direct", RawSocket.calling(sockets.get(0), "echo"));
        for (int count : SERVERS) {
            var front = peers.startDaemon("of-" + count, servers(sockets.subList(0, count)), SETTINGS);
            add(
                    "%d servers, %d tools".formatted(count, 10 * count),
                    RawSocket.calling(front, "s%d__echo".formatted(count / 2)));
        }
        for (var row : rows) {
            row.warmUp(WARM_UP);
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (var row : rows) {
                row.measure(ROUND);
            }
        }
        Goals.table(rows);
        Goals.figure("added p50 at 100 servers / at 1, fastest rounds", added(2, Row::fastestP50));
        Goals.atMost(
                "added p50 at 1,000 servers and 10,000 tools / at 1 and 10, fastest rounds",
                1.1,
                added(3, Row::fastestP50));
        Goals.figure("added p50 at 1,000 servers and 10,000 tools / at 1 and 10, medians", added(3, Row::p50));
        Goals.noErrors("growth", rows);
        idleClients(peers.startDaemon("idle", servers(sockets.subList(0, 1)), SETTINGS), peers.last());
    }

    private void add(String name, RawSocket caller) {
        rows.add(peers.closing(new Row(name, 1, caller)));
    }

    private static String servers(List<Path> sockets) {
        return sockets.stream()
                .map(socket -> "%s:{\"path\":%s}"
                        .formatted(
                                JsonStrings.quote(
                                        socket.getFileName().toString().replace(".sock", "")),
                                JsonStrings.quote(socket.toString())))
                .collect(Collectors.joining(","));
    }

    /**
     * What the daemon adds in a row, divided by what it adds in that of one server. The fastest rounds count: on two
     * processors the scheduler places three threads now and then in another way, which adds more than the daemon, however
     * many servers it has.
     */
    private double added(int row, ToDoubleFunction<Row> p50) {
        var direct = p50.applyAsDouble(rows.get(0));
        return (p50.applyAsDouble(rows.get(row)) - direct) / (p50.applyAsDouble(rows.get(1)) - direct);
    }

    /** Of a gateway of their own, whose first client makes it load what all need. */
    private void idleClients(Path front, ProcessHandle gateway) throws IOException, InterruptedException {
        var count = Math.min(IDLE, maxFiles() - SPARE_FILES);
        peers.closing(RawSocket.calling(front, "s0__echo")).call();
        Thread.sleep(REST.toMillis());
        var before = Usage.megabytes(gateway);
        for (int i = 0; i < count; i++) {
            peers.closing(RawSocket.idle(front));
        }
        Thread.sleep(REST.toMillis());
        var each = (Usage.megabytes(gateway) - before) * 1024 / count;
        Goals.atMost("kB of an idle client, of %,d".formatted(count), 20, each);
    }

    private static int maxFiles() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/limits")).stream()
                .filter(line -> line.startsWith("Max open files"))
                .map(line -> line.split(" +", -1)[4])
                .mapToInt(limit -> limit.matches("\\d{1,9}") ? Integer.parseInt(limit) : Integer.MAX_VALUE)
                .findFirst()
                .orElse(SPARE_FILES);
    }
}
