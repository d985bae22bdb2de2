package io.mcpbridge.benchmarks;

import io.mcpbridge.message.JsonText;
import java.io.Closeable;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One interleaved run of all rows: rounds after a warm-up, medians, and the goals beside the ratios. Lasts about a
 * minute.
 */
final class RoundTrips {
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration ROUND = Duration.ofMillis(1_500);
    private static final int ROUNDS = 3;
    private static final int MANY = 64;
    private static final Duration START = Duration.ofSeconds(15);
    /** Which row is measured beside a client that does not read. */
    private static final int STUCK = 3;

    private static final String HEAD = "| %-42s | %7s | %9s | %8s | %8s | %17s | %6s |"
            .formatted("", "callers", "calls/s", "p50 us", "p99 us", "p50 of rounds", "errors");

    private final Path folder = Files.createTempDirectory("mcp-bridge-benchmark");
    private final List<Process> peers = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();

    private Path front = folder;

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
        var bytes = peer("bytes", folder.resolve("bytes.sock"));
        var server = peer("unix", folder.resolve("tool.sock"));
        front = peer("daemon", folder.resolve("bridge.sock"), server);
        var unix = "\"type\":\"unix\",\"path\":" + JsonText.quote(server.toString());
        var stdio = "\"command\":%s,\"args\":[%s]"
                .formatted(
                        JsonText.quote(java()),
                        stdioArguments().stream().map(JsonText::quote).collect(Collectors.joining(",")));
        add("bare echo, Unix socket", 1, RawSocket.repeating(bytes, Payload.call("echo", Payload.TEXT)));
        add("raw call, Unix socket, direct", 1, RawSocket.calling(server, "echo", Payload.TEXT));
        add("raw call, Unix socket, through the daemon", 1, RawSocket.calling(front, "tool__echo", Payload.TEXT));
        add("raw call through the daemon, beside a stuck one", 1, RawSocket.calling(front, "tool__echo", Payload.TEXT));
        add("Bridge, Unix socket, direct", 1, new BridgeClient(unix));
        add("Bridge, stdio", 1, new BridgeClient(stdio));
        add("McpSyncClient of the SDK, stdio", 1, new SdkClient(java(), stdioArguments()));
        add("Bridge, stdio", MANY, new BridgeClient(stdio));
        add("McpSyncClient of the SDK, stdio", MANY, new SdkClient(java(), stdioArguments()));
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

    /** The client that does not read what it asked for, where the row is about that; it goes with the round. */
    private Closeable beside(Row row) throws IOException {
        return row == rows.get(STUCK) ? StuckClient.at(front, "tool__echo") : () -> {};
    }

    private void print() {
        say("%d rounds of %d ms after %d s, medians; call of %d bytes; %s, %d processors%n"
                .formatted(
                        ROUNDS,
                        ROUND.toMillis(),
                        WARM_UP.toSeconds(),
                        Payload.call("echo", Payload.TEXT).length(),
                        System.getProperty("java.vm.version"),
                        Runtime.getRuntime().availableProcessors()));
        say(HEAD);
        say("|---|---|---|---|---|---|---|");
        rows.forEach(row -> say(row.line()));
        say("");
        say("| goal | wanted | measured | held |");
        say("|---|---|---|---|");
        Row direct = rows.get(1), daemon = rows.get(2), ours = rows.get(5), sdk = rows.get(6);
        atMost("P1 p50: daemon / direct, 1 caller, no audit", 1.5, daemon.p50() / direct.p50());
        atMost("P1 p99: daemon / direct, 1 caller, no audit", 2, daemon.p99() / direct.p99());
        atMost("P7 p50: Bridge / SDK over stdio, 1 caller", 0.65, ours.p50() / sdk.p50());
        atLeast(
                "P7 calls/s: Bridge / SDK over stdio, 64 callers",
                15,
                rows.get(7).perSecond() / rows.get(8).perSecond());
        atMost("P7 errors: Bridge over stdio, 64 callers", 0, (double)
                rows.get(7).errors());
        atMost(
                "G3 p99: the others beside a stuck client / without it",
                2,
                rows.get(STUCK).p99() / daemon.p99());
    }

    private static void atMost(String goal, double wanted, double measured) {
        say("| %s | <= %.2f | %.2f | %s |".formatted(goal, wanted, measured, measured <= wanted ? "yes" : "no"));
    }

    private static void atLeast(String goal, double wanted, double measured) {
        say("| %s | >= %.2f | %.2f | %s |".formatted(goal, wanted, measured, measured >= wanted ? "yes" : "no"));
    }

    private static void say(String line) {
        System.out.println(line);
    }

    private void add(String name, int callers, Contender contender) {
        rows.add(new Row(name, callers, contender));
    }

    /** Starts a peer and waits for its socket. */
    private Path peer(String kind, Path socket, Path... more) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(java()));
        command.addAll(arguments(kind));
        command.add(socket.toString());
        Stream.of(more).map(Path::toString).forEach(command::add);
        var process = new ProcessBuilder(command)
                .redirectOutput(Redirect.INHERIT)
                .redirectError(Redirect.INHERIT)
                .start();
        peers.add(process);
        var end = System.nanoTime() + START.toNanos();
        while (!Files.exists(socket)) {
            if (System.nanoTime() > end || process.waitFor(20, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the peer '%s' did not open '%s'".formatted(kind, socket));
            }
        }
        return socket;
    }

    private static List<String> stdioArguments() {
        return arguments("stdio");
    }

    private static List<String> arguments(String kind) {
        return List.of("-cp", System.getProperty("java.class.path"), Peer.class.getName(), kind);
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private void end() throws IOException, InterruptedException {
        for (var row : rows) {
            row.close();
        }
        for (var peer : peers) {
            peer.getOutputStream().close();
            if (!peer.waitFor(5, TimeUnit.SECONDS)) {
                peer.destroyForcibly();
            }
        }
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
