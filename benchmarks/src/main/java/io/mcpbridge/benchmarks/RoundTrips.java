package io.mcpbridge.benchmarks;

import io.mcpbridge.message.JsonStrings;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Measures round trips in one interleaved run of all rows: rounds after a warm-up, medians, and the goals beside the
 * ratios. Takes about a minute.
 */
final class RoundTrips {
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration ROUND = Duration.ofMillis(1_500);
    private static final int ROUNDS = 3;
    private static final int MANY = 64;
    /** The row that is measured beside a client that does not read. */
    private static final int STUCK = 3;

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
        front = peers.startDaemon("\"tool\":{%s}".formatted(unix), "\"keep-alive\":\"0s\",");
        var command = Peers.command("stdio");
        var java = command.get(0);
        var arguments = command.subList(1, command.size());
        var stdio = "\"command\":%s,\"args\":[%s]"
                .formatted(
                        JsonStrings.quote(java),
                        arguments.stream().map(JsonStrings::quote).collect(Collectors.joining(",")));
        add("bare echo, Unix socket", 1, RawSocket.repeating(bytes, Payload.call("echo", Payload.TEXT)));
        add("raw call, Unix socket, direct", 1, RawSocket.calling(server, "echo", Payload.TEXT));
        add("raw call, Unix socket, through the daemon", 1, RawSocket.calling(front, "tool__echo", Payload.TEXT));
        add("raw call through the daemon, beside a stuck one", 1, RawSocket.calling(front, "tool__echo", Payload.TEXT));
        add("Bridge, Unix socket, direct", 1, new BridgeClient(unix));
        add("Bridge, stdio", 1, new BridgeClient(stdio));
        add("McpSyncClient of the SDK, stdio", 1, new SdkClient(java, arguments));
        add("Bridge, stdio", MANY, new BridgeClient(stdio));
        add("McpSyncClient of the SDK, stdio", MANY, new SdkClient(java, arguments));
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
        Goals.say("%d rounds of %d ms after %d s, medians; call of %d bytes; %s, %d processors%n"
                .formatted(
                        ROUNDS,
                        ROUND.toMillis(),
                        WARM_UP.toSeconds(),
                        Payload.call("echo", Payload.TEXT).length(),
                        System.getProperty("java.vm.version"),
                        Runtime.getRuntime().availableProcessors()));
        Goals.begin(rows);
        Row direct = rows.get(1), daemon = rows.get(2), ours = rows.get(5), sdk = rows.get(6);
        Goals.atMost("P1 p50: daemon / direct, 1 caller, no audit", 1.5, daemon.p50() / direct.p50());
        Goals.atMost("P1 p99: daemon / direct, 1 caller, no audit", 2, daemon.p99() / direct.p99());
        Goals.atMost("P7 p50: Bridge / SDK over stdio, 1 caller", 0.65, ours.p50() / sdk.p50());
        Goals.atLeast(
                "P7 calls/s: Bridge / SDK over stdio, 64 callers",
                15,
                rows.get(7).perSecond() / rows.get(8).perSecond());
        Goals.atMost("P7 errors: Bridge over stdio, 64 callers", 0, (double)
                rows.get(7).errors());
        Goals.atMost(
                "G3 p99: the others beside a stuck client / without it",
                2,
                rows.get(STUCK).p99() / daemon.p99());
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
