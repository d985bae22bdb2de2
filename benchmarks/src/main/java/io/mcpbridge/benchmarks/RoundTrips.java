package io.mcpbridge.benchmarks;

import io.mcpbridge.benchmarks.Row.Round;
import io.mcpbridge.message.JsonStrings;
import java.net.UnixDomainSocketAddress;
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
    /** As long as P8 asks for. */
    private static final Duration WARM_UP_OF_HTTP = Plan.seconds(20, 2);

    private static final Duration ROUND = Plan.seconds(1.5, 0.4);
    private static final int ROUNDS = Plan.times(5, 3);
    private static final int MANY = 64;
    private static final int MOST = 512;
    private static final String TOOL = "tool__echo";

    private final Peers peers;
    private final List<Row> rows = new ArrayList<>();

    private RoundTrips(Peers peers) {
        this.peers = peers;
    }

    public static void main(String[] arguments) throws Exception {
        try (var peers = new Peers()) {
            new RoundTrips(peers).run();
        }
    }

    private void run() throws Exception {
        var server = peers.start("unix", "tool");
        var section = "\"type\":\"unix\",\"path\":" + JsonStrings.quote(server.toString());
        int port = Peers.freePort();
        var front = peers.startDaemon(
                "bridge",
                "\"tool\":{%s}".formatted(section),
                Peers.NO_PINGS,
                ",\"http\":{\"port\":%d}".formatted(port));
        var relay = peers.start("relay", "relay");
        var bare = add(
                "bare echo, Unix socket",
                RawSocket.repeating(UnixDomainSocketAddress.of(peers.start("bytes", "bytes")), 1));
        var one = sockets(1, server, relay, front);
        var http = add("raw call, HTTP, through the daemon", List.of(HttpCaller.calling(port, "/mcp", TOOL)));
        var besideStuck = add("raw call through the daemon, beside a stuck one", RawSocket.calling(front, TOOL, 1));
        var many = sockets(MANY, server, relay, front);
        add("Bridge, Unix socket, direct", 1, new BridgeClient(section));
        addMost("Bridge, Unix socket, direct", section);
        var overStdio = stdio();
        var overHttp = http();
        measure(besideStuck, front);
        Goals.say(
                "%d rounds of %.1f s after %d s, or %d over HTTP, medians; a call of 300 bytes; the servers are ours.%n"
                        .formatted(ROUNDS, ROUND.toMillis() / 1e3, WARM_UP.toSeconds(), WARM_UP_OF_HTTP.toSeconds()));
        Goals.table(rows);
        Goals.figure("direct, 1 caller, p50 / bare echo", one.direct.ratio(Round::p50, bare));
        Goals.atMost("P2 HTTP in, Unix out, added p50 / bare echo", 0.75, (http.p50() - one.direct.p50()) / bare.p50());
        Goals.atMost("G3 p99 beside a stuck client / without it", 2, besideStuck.ratio(Round::p99, one.daemon));
        print(one, many);
        overStdio.print("stdio", 0.6, "P7", 15);
        Goals.atMost("P7 1 caller, allocation / SDK's, stdio", 0.25, overStdio.allocation());
        overHttp.print("HTTP", 0.25, "P8", 10);
        Goals.figure("1 caller, allocation / SDK's, HTTP", overHttp.allocation());
        Goals.noErrors(
                "round trips without the SDK's client",
                rows.stream().filter(row -> !row.name().contains("SDK")).toList());
    }

    private void measure(Row besideStuck, Path front) throws Exception {
        for (var row : rows) {
            row.warmUp(row.name().endsWith("HTTP") ? WARM_UP_OF_HTTP : WARM_UP);
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (var row : rows) {
                if (row == besideStuck) {
                    var stuck = BackgroundClient.stuck(front, TOOL);
                    try (stuck) {
                        row.measure(ROUND);
                    }
                } else {
                    row.measure(ROUND);
                }
            }
        }
    }

    /** The relay shows the limit of any gateway that is a process of its own. */
    private static void print(Sockets one, Sockets many) {
        Goals.atMost("Unix in, Unix out, 1 caller, p50 / direct", 1.5, one.daemon.ratio(Round::p50, one.direct));
        Goals.atMost("Unix in, Unix out, 1 caller, p99 / direct", 2, one.daemon.ratio(Round::p99, one.direct));
        Goals.figure("bare relay, p50 / direct", one.relay.ratio(Round::p50, one.direct));
        Goals.figure("1 caller, p50 / bare relay's, Unix", one.daemon.ratio(Round::p50, one.relay));
        Goals.figure("64 callers, calls/s / bare relay's, Unix", many.daemon.ratio(Round::perSecond, many.relay));
    }

    /** Raw calls over Unix sockets. */
    private record Sockets(Row direct, Row relay, Row daemon) {}

    private Sockets sockets(int callers, Path server, Path relay, Path front) throws Exception {
        return new Sockets(
                add("raw call, Unix socket, direct", RawSocket.calling(server, "echo", callers)),
                add("raw call, Unix socket, through a bare relay", RawSocket.calling(relay, "echo", callers)),
                add("raw call, Unix socket, through the daemon", RawSocket.calling(front, TOOL, callers)));
    }

    /** The Java client and that of the SDK, by one caller and by many; a raw caller shows the limit of any client. */
    private record Clients(Row raw, Row one, Row sdkOne, Row many, Row sdkMany) {

        double allocation() {
            return one.ratio(Round::allocated, sdkOne);
        }

        void print(String transport, double wantedP50, String line, double wantedCalls) {
            Goals.atMost("Java client, 1 caller, p50 / SDK's, " + transport, wantedP50, one.ratio(Round::p50, sdkOne));
            Goals.figure("raw caller, p50 / SDK's, " + transport, raw.ratio(Round::p50, sdkOne));
            Goals.atLeast(
                    "%s 64 callers, calls/s / SDK's, %s".formatted(line, transport),
                    wantedCalls,
                    many.ratio(Round::perSecond, sdkMany));
        }
    }

    private Clients stdio() throws Exception {
        var command = Peers.command("stdio");
        var java = command.get(0);
        var arguments = command.subList(1, command.size());
        var section = "\"command\":%s,\"args\":[%s]"
                .formatted(
                        JsonStrings.quote(java),
                        arguments.stream().map(JsonStrings::quote).collect(Collectors.joining(",")));
        addMost("Bridge, stdio", section);
        var process = StdioServer.start(command);
        peers.closing(process::destroy);
        var server = new StdioServer(process);
        return new Clients(
                add("raw call, stdio, direct", 1, server.caller(EchoCall.of("echo", "text"))),
                add("Bridge, stdio", 1, new BridgeClient(section)),
                add("McpSyncClient of the SDK, stdio", 1, SdkClient.stdio(java, arguments)),
                add("Bridge, stdio", MANY, new BridgeClient(section)),
                add("McpSyncClient of the SDK, stdio", MANY, SdkClient.stdio(java, arguments)));
    }

    private Clients http() throws Exception {
        int port = Integer.parseInt(Files.readString(peers.start("http", "http")));
        var address = "http://127.0.0.1:" + port;
        var section = "\"type\":\"http\",\"url\":%s".formatted(JsonStrings.quote(address + "/mcp"));
        addMost("Bridge, HTTP", section);
        return new Clients(
                add("raw call, HTTP, direct", List.of(HttpCaller.calling(port, "/mcp", "echo"))),
                add("Bridge, HTTP", 1, new BridgeClient(section)),
                add("McpSyncClient of the SDK, HTTP", 1, SdkClient.http(address)),
                add("Bridge, HTTP", MANY, new BridgeClient(section)),
                add("McpSyncClient of the SDK, HTTP", MANY, SdkClient.http(address)));
    }

    private void addMost(String name, String section) {
        if (!Plan.IS_QUICK) {
            add(name, MOST, new BridgeClient(section));
        }
    }

    private Row add(String name, int callers, Contender contender) {
        return add(new Row(name, callers, contender));
    }

    private Row add(String name, List<? extends Contender> contenders) {
        return add(new Row(name, contenders));
    }

    private Row add(Row row) {
        rows.add(row);
        return peers.closing(row);
    }
}
