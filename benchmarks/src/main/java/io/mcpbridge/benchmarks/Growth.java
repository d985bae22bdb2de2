package io.mcpbridge.benchmarks;

import io.mcpbridge.message.JsonStrings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures what a call costs behind a gateway of 1, 100 and 1,000 servers with ten tools each, by one caller over Unix
 * sockets, and the memory of idle clients.
 */
final class Growth {
    private static final List<Integer> SERVERS = List.of(1, 100, 1_000);
    private static final Duration WARM_UP = Plan.seconds(6, 3);
    private static final Duration ROUND = Plan.seconds(1.5, 0.7);
    private static final int ROUNDS = Plan.times(7, 3);
    private static final int IDLE = Plan.times(10_000, 2_000);
    private static final int SPARE_FILES = 1_000;
    private static final String SETTINGS = "\"keep-alive\":\"0s\",\"limits\":{\"connections\":20000},";

    private final Peers peers = new Peers();
    private final List<Row> rows = new ArrayList<>();

    private Growth() throws IOException {}

    public static void main(String[] arguments) throws Exception {
        var growth = new Growth();
        try {
            growth.run();
        } finally {
            for (var row : growth.rows) {
                row.close();
            }
            growth.peers.end();
        }
    }

    private void run() throws Exception {
        var names = IntStream.range(0, SERVERS.get(SERVERS.size() - 1))
                .mapToObj("s%d"::formatted)
                .toList();
        var sockets = peers.start("unix", names);
        rows.add(new Row("direct", 1, RawSocket.calling(sockets.get(0), "echo")));
        var front = sockets.get(0);
        for (int count : SERVERS) {
            var servers = sockets.stream()
                    .limit(count)
                    .map(socket -> "%s:{\"path\":%s}"
                            .formatted(
                                    JsonStrings.quote(
                                            socket.getFileName().toString().replace(".sock", "")),
                                    JsonStrings.quote(socket.toString())))
                    .collect(Collectors.joining(","));
            front = peers.startDaemon("of-" + count, servers, SETTINGS);
            rows.add(new Row(
                    "%d servers, %d tools".formatted(count, 10 * count),
                    1,
                    RawSocket.calling(front, "s%d__echo".formatted(count / 2))));
        }
        for (var row : rows) {
            row.warmUp(WARM_UP);
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (var row : rows) {
                row.measure(ROUND);
            }
        }
        Goals.begin(rows);
        var least = added(rows.get(1));
        Goals.beside("added p50 at 100 servers / at 1", added(rows.get(2)) / least);
        Goals.atMost("added p50 at 1,000 servers and 10,000 tools / at 1 and 10", 1.1, added(rows.get(3)) / least);
        Goals.noErrors("growth", rows.stream().mapToLong(Row::errors).sum());
        idleClients(front);
    }

    private double added(Row row) {
        return row.p50() - rows.get(0).p50();
    }

    /** Of the gateway that was started last. */
    private void idleClients(Path front) throws IOException {
        var count = Math.min(IDLE, maxFiles() - SPARE_FILES);
        var clients = new ArrayList<RawSocket>();
        var before = Usage.megabytes(peers.last());
        try {
            while (clients.size() < count) {
                clients.add(RawSocket.idle(front));
            }
            var each = (Usage.megabytes(peers.last()) - before) * 1024 / count;
            Goals.atMost("kB of an idle client, of %,d".formatted(count), 20, each);
        } finally {
            for (var client : clients) {
                client.close();
            }
        }
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
