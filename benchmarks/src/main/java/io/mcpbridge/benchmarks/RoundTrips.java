package io.mcpbridge.benchmarks;

import io.mcpbridge.message.JsonStrings;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Measures round trips in one interleaved run of all rows: rounds after a warm-up, medians, and the goals beside the
 * ratios.
 */
final class RoundTrips {
    private static final Duration WARM_UP = Plan.seconds(6, 2);
    private static final Duration ROUND = Plan.seconds(1.5, 0.5);
    private static final int ROUNDS = Plan.times(5, 3);
    private static final int MANY = 64;
    /** The row that is measured beside a client that does not read. */
    private static final int STUCK = 4;

    private final Peers peers = new Peers();
    private final List<Row> rows = new ArrayList<>();

    private Path front = Path.of("");

    private RoundTrips() throws IOException {}

    public static void main(String[] arguments) throws Exception {
        var trips = new RoundTrips();
        try {
            trips.open();
            trips.run();
            trips.print();
        } finally {
            trips.end();
        }
    }

    private void open() throws Exception {
        var bytes = peers.start("bytes", "bytes");
        var server = peers.start("unix", "tool");
        var unix = "\"type\":\"unix\",\"path\":" + JsonStrings.quote(server.toString());
        int port = Peers.freePort();
        front = peers.startDaemon(
                "bridge",
                "\"tool\":{%s}".formatted(unix),
                "\"keep-alive\":\"0s\",",
                ",\"http\":{\"port\":%d}".formatted(port));
        var remote = "http://127.0.0.1:" + Files.readString(peers.start("http", "http"));
        var command = Peers.command("stdio");
        var java = command.get(0);
        var arguments = command.subList(1, command.size());
        var stdio = "\"command\":%s,\"args\":[%s]"
                .formatted(
                        JsonStrings.quote(java),
                        arguments.stream().map(JsonStrings::quote).collect(Collectors.joining(",")));
        var http = "\"type\":\"http\",\"url\":%s".formatted(JsonStrings.quote(remote + "/mcp"));
        add("bare echo, Unix socket", 1, RawSocket.repeating(bytes));
        add("raw call, Unix socket, direct", 1, RawSocket.calling(server, "echo"));
        add("raw call, Unix socket, through the daemon", 1, RawSocket.calling(front, "tool__echo"));
        add("raw call, HTTP, through the daemon", 1, HttpCaller.open(port, "/mcp", EchoCall.of("tool__echo", "text")));
        add("raw call through the daemon, beside a stuck one", 1, RawSocket.calling(front, "tool__echo"));
        add("Bridge, Unix socket, direct", 1, new BridgeClient(unix));
        add("Bridge, stdio", 1, new BridgeClient(stdio));
        add("McpSyncClient of the SDK, stdio", 1, SdkClient.stdio(java, arguments));
        add("Bridge, HTTP", 1, new BridgeClient(http));
        add("McpSyncClient of the SDK, HTTP", 1, SdkClient.http(remote));
        add("Bridge, stdio", MANY, new BridgeClient(stdio));
        add("McpSyncClient of the SDK, stdio", MANY, SdkClient.stdio(java, arguments));
        add("Bridge, HTTP", MANY, new BridgeClient(http));
        add("McpSyncClient of the SDK, HTTP", MANY, SdkClient.http(remote));
    }

    private void run() throws InterruptedException, IOException {
        for (var row : rows) {
            row.warmUp(WARM_UP);
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (var row : rows) {
                var stuck = beside(row);
                try {
                    row.measure(ROUND);
                } finally {
                    stuck.close();
                }
            }
        }
    }

    /** The client that does not read its responses, for the row about it; closed with the round. */
    private Closeable beside(Row row) throws IOException {
        return row == rows.get(STUCK) ? BackgroundClient.stuck(front, "tool__echo") : () -> {};
    }

    private void print() {
        Goals.say("%d rounds of %.1f s after %d s, medians; a call of 300 bytes.%n"
                .formatted(ROUNDS, ROUND.toMillis() / 1e3, WARM_UP.toSeconds()));
        Goals.begin(rows);
        Row bare = rows.get(0), direct = rows.get(1), unix = rows.get(2), http = rows.get(3);
        Goals.atMost("Unix in, Unix out, 1 caller, p50 / direct", 1.5, unix.p50() / direct.p50());
        Goals.atMost("Unix in, Unix out, 1 caller, p99 / direct", 2, unix.p99() / direct.p99());
        Goals.beside("direct, 1 caller, p50 / bare echo", direct.p50() / bare.p50());
        Goals.atMost("P2 HTTP in, Unix out, added p50 / bare echo", 0.75, (http.p50() - direct.p50()) / bare.p50());
        Goals.atMost(
                "G3 p99 beside a stuck client / without it", 2, rows.get(STUCK).p99() / unix.p99());
        compare("stdio", 0.6, rows.get(6), rows.get(7));
        compare("HTTP", 0.25, rows.get(8), rows.get(9));
        Goals.atLeast(
                "P7 64 callers, calls/s / SDK's, stdio",
                15,
                rows.get(10).perSecond() / rows.get(11).perSecond());
        Goals.atLeast(
                "P8 64 callers, calls/s / SDK's, HTTP",
                10,
                rows.get(12).perSecond() / rows.get(13).perSecond());
        Goals.noErrors(
                "round trips without the SDK's client",
                rows.stream()
                        .filter(row -> !row.name().contains("SDK"))
                        .mapToLong(Row::errors)
                        .sum());
    }

    private static void compare(String transport, double wanted, Row ours, Row sdk) {
        Goals.atMost("Java client, 1 caller, p50 / SDK's, " + transport, wanted, ours.p50() / sdk.p50());
    }

    private void add(String name, int callers, Contender contender) {
        rows.add(new Row(name, callers, contender));
    }

    private void end() throws IOException, InterruptedException {
        for (var row : rows) {
            row.close();
        }
        peers.end();
    }
}
