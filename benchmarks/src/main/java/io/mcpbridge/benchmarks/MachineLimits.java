package io.mcpbridge.benchmarks;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the limits of this machine: round trips to a process that repeats all bytes, over Unix sockets, loopback TCP
 * and pipes. No gateway, client or server is faster than the round trips that it makes.
 */
final class MachineLimits {
    private static final Duration WARM_UP = Plan.seconds(3, 1);
    private static final Duration ROUND = Plan.seconds(1.5, 0.4);
    private static final int ROUNDS = Plan.times(5, 3);
    private static final int MANY = 64;

    private MachineLimits() {}

    public static void main(String[] arguments) throws Exception {
        try (var peers = new Peers()) {
            var rows = rows(peers);
            for (var row : rows) {
                row.warmUp(WARM_UP);
            }
            for (int round = 0; round < ROUNDS; round++) {
                for (var row : rows) {
                    row.measure(ROUND);
                }
            }
            Goals.table(rows);
            Goals.noErrors("limits of the machine", rows);
        }
    }

    private static List<Row> rows(Peers peers) throws Exception {
        var unix = UnixDomainSocketAddress.of(peers.start("bytes", "bytes"));
        var tcp = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), Integer.parseInt(Files.readString(peers.start("tcp", "tcp"))));
        var process = StdioServer.start(Peers.command("pipe"));
        peers.closing(process::destroy);
        var pipe = new StdioServer(process);
        var rows = new ArrayList<Row>();
        for (var callers : List.of(1, MANY)) {
            rows.add(new Row("Unix socket", RawSocket.repeating(unix, callers)));
            rows.add(new Row("TCP", RawSocket.repeating(tcp, callers)));
        }
        rows.add(new Row("pipe", List.of(pipe.caller(EchoCall.of("echo", "text")))));
        rows.forEach(peers::closing);
        return rows;
    }
}
