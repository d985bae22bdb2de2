package io.mcpbridge.benchmarks;

import io.mcpbridge.benchmarks.Row.Round;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Measures calls through our gateway and through others before the same stdio server, and directly: the first seconds
 * after the start, then rounds of 1, 16 and 64 callers, each in another order, and at last 512.
 */
final class GatewayCalls {
    private static final Duration FIRST = Plan.seconds(5, 5);
    private static final Duration WARM_UP = Plan.seconds(12, 6);
    private static final Duration WARM_UP_OF_OTHERS = Plan.seconds(4, 2);
    private static final Duration ROUND = Plan.seconds(1.5, 0.9);
    private static final Duration REST = Plan.seconds(10, 3);
    private static final int ROUNDS = Plan.times(5, 3);
    private static final List<Integer> LEVELS = List.of(1, 16, 64);
    private static final int MANY = 64;
    private static final int MOST = 512;

    private final Peers peers;
    private final List<Measured> all = new ArrayList<>();

    private GatewayCalls(Peers peers) {
        this.peers = peers;
    }

    public static void main(String[] arguments) throws Exception {
        if (Gateway.isPossible()) {
            try (var peers = new Peers()) {
                new GatewayCalls(peers).run();
            }
        }
    }

    private void run() throws Exception {
        all.add(peers.closing(Measured.direct()));
        // The first gateways would pay for the compilation of the callers.
        Measured.started(Gateway.HTTP).close();
        Measured.started(Gateway.UNIX).close();
        for (var gateway : Gateway.installed()) {
            all.add(peers.closing(Measured.started(gateway)));
        }
        for (var each : all) {
            each.level(MANY).warmUp(each.isOurs ? WARM_UP : WARM_UP_OF_OTHERS);
        }
        for (int round = 0; round < ROUNDS; round++) {
            // Compilers and collectors of one gateway run on into the turn of the next.
            var order = new ArrayList<>(all);
            Collections.shuffle(order, new Random(round));
            for (var callers : LEVELS) {
                for (var each : order) {
                    each.level(callers).measure(ROUND, each.process);
                }
            }
        }
        Thread.sleep(REST.toMillis());
        for (var each : all) {
            each.megabytes = Usage.megabytes(each.process);
        }
        for (var each : all) {
            // A brief run has no time for 512 callers of slow gateways.
            if (!Plan.IS_QUICK || each.isOurs) {
                each.open(MOST);
                each.level(MOST).warmUp(ROUND);
                each.level(MOST).measure(ROUND);
                each.level(MOST).measure(ROUND);
            }
        }
        print();
    }

    private Optional<Measured> find(String name) {
        return all.stream().filter(each -> each.name.equals(name)).findFirst();
    }

    private void print() {
        Goals.say("%d rounds of %.1f s. CPU in us a call: gateway alone, with its server.%n"
                .formatted(ROUNDS, ROUND.toMillis() / 1e3));
        Goals.say("| | 1 caller: calls/s | p50 us | p99 us | CPU | 16: calls/s | first 5 s"
                + " | 64: calls/s | p50 us | p99 us | CPU | 512: calls/s | MB after load | errors |");
        Goals.say("|---|" + "---|".repeat(13));
        all.forEach(each -> Goals.say(each.line()));
        Goals.begin();
        Measured direct = all.get(0),
                http = find(Gateway.HTTP.name()).orElseThrow(),
                unix = find(Gateway.UNIX.name()).orElseThrow();
        besideDirect(direct, http, "HTTP", 0.55);
        besideDirect(direct, unix, "Unix", 0.65);
        find(Gateway.RUST.name()).ifPresent(rust -> besideRust(direct, http, unix, rust));
        find(Gateway.NPM.name()).ifPresent(npm -> besideNpm(direct, http, unix, npm));
        Goals.atMost("MB after load, HTTP", 128, http.megabytes);
        Goals.atMost("MB after load, Unix", 128, unix.megabytes);
        Goals.noErrors(
                "our gateway and direct",
                Stream.of(direct, http, unix).flatMap(Measured::rows).toList());
    }

    private static void besideDirect(Measured direct, Measured ours, String name, double wanted) {
        Goals.figure("1 caller, p50 / direct stdio, " + name, ours.ratio(1, Round::p50, direct));
        Goals.atLeast(
                "64 callers, calls/s / direct stdio, " + name, wanted, ours.ratio(MANY, Round::perSecond, direct));
        Goals.figure("64 callers, CPU with server / direct's, " + name, ours.ratio(MANY, Round::cpuWithServer, direct));
        Goals.atLeast(
                "16 callers, first 5 s / later, " + name,
                0.5,
                ours.first / ours.level(16).perSecond());
    }

    private static void besideRust(Measured direct, Measured http, Measured unix, Measured rust) {
        Goals.atMost("1 caller, added p50 / Rust's, HTTP", 0.5, http.addedP50(direct) / rust.addedP50(direct));
        Goals.atMost("1 caller, p99 / Rust's, HTTP", 1, http.ratio(1, Round::p99, rust));
        Goals.atLeast("64 callers, calls/s / Rust's, HTTP", 1.8, http.ratio(MANY, Round::perSecond, rust));
        Goals.atLeast("64 callers, calls/s / Rust's, Unix", 2.2, unix.ratio(MANY, Round::perSecond, rust));
        Goals.atMost("64 callers, CPU of the gateway / Rust's, HTTP", 0.45, http.ratio(MANY, Round::cpuAlone, rust));
        Goals.figure("64 callers, CPU of the gateway / Rust's, Unix", unix.ratio(MANY, Round::cpuAlone, rust));
    }

    private void besideNpm(Measured direct, Measured http, Measured unix, Measured npm) {
        Goals.atMost(
                "P3 1 caller, added p50 / npm mcp-proxy's, HTTP", 0.167, http.addedP50(direct) / npm.addedP50(direct));
        Goals.atMost(
                "P3 1 caller, added p99 / npm mcp-proxy's, HTTP", 0.033, http.addedP99(direct) / npm.addedP99(direct));
        var others = all.stream().filter(each -> each.name.startsWith("npm")).toList();
        if (others.size() == Gateway.OF_NPM) {
            var best = others.stream()
                    .filter(each -> each.errors() == 0)
                    .max(Comparator.comparingDouble(Measured::perSecond))
                    .orElse(npm);
            Goals.atLeast(
                    "P4 64 callers, calls/s / best npm gateway's, HTTP", 6, http.ratio(MANY, Round::perSecond, best));
            Goals.atLeast(
                    "P4 64 callers, calls/s / best npm gateway's, Unix", 8, unix.ratio(MANY, Round::perSecond, best));
        }
        Goals.atMost(
                "P6 64 callers, CPU with server / npm mcp-proxy's, HTTP",
                0.1,
                http.ratio(MANY, Round::cpuWithServer, npm));
        Goals.atMost(
                "P6 64 callers, CPU with server / npm mcp-proxy's, Unix",
                0.1,
                unix.ratio(MANY, Round::cpuWithServer, npm));
    }

    /** A gateway, or the server itself, and what was measured. */
    private static final class Measured implements Closeable {
        private final String name;
        private final boolean isOurs;
        private final ProcessHandle process;
        private final Opening opening;
        private final Closeable end;
        private final Map<Integer, Row> levels = new HashMap<>();
        private final List<Row> rows = new ArrayList<>();
        /** Calls per second of 16 callers after the start. */
        private double first = Double.NaN;

        private double megabytes;

        /** Opens callers, each with a session of its own if that does not start a server of its own. */
        private interface Opening {
            List<Contender> open(int count) throws IOException;
        }

        private Measured(String name, boolean isOurs, ProcessHandle process, Opening opening, Closeable end) {
            this.name = name;
            this.isOurs = isOurs;
            this.process = process;
            this.opening = opening;
            this.end = end;
        }

        static Measured direct() throws IOException {
            var process = StdioServer.start(Gateway.SERVER);
            var server = new StdioServer(process);
            var direct = new Measured(
                    "direct stdio",
                    false,
                    process.toHandle(),
                    count -> Stream.generate(() -> server.caller(EchoCall.of("echo", "message")))
                            .limit(count)
                            .toList(),
                    process::destroy);
            direct.openLevels();
            return direct;
        }

        /** Starts a gateway and calls it at once. */
        static Measured started(Gateway gateway) throws Exception {
            var running = new RunningGateway(gateway.withoutPings());
            try (var session = running.awaitSession()) {
                session.confirm();
            }
            var measured = new Measured(gateway.name(), gateway.isOurs(), running.handle(), running::callers, running);
            try (var row = measured.row(running.callers(16))) {
                measured.first = row.warmUp(FIRST);
            }
            measured.openLevels();
            return measured;
        }

        private void openLevels() throws IOException {
            var callers = opening.open(MANY);
            LEVELS.forEach(count -> levels.put(count, row(callers.subList(0, count))));
        }

        void open(int count) throws IOException {
            levels.put(count, row(opening.open(count)));
        }

        private Row row(List<Contender> callers) {
            var row = new Row(name, callers);
            rows.add(row);
            return row;
        }

        Stream<Row> rows() {
            return rows.stream();
        }

        long errors() {
            return rows().mapToLong(Row::errors).sum();
        }

        Row level(int callers) {
            return Optional.ofNullable(levels.get(callers)).orElseThrow();
        }

        double ratio(int callers, ToDoubleFunction<Round> figure, Measured other) {
            return level(callers).ratio(figure, other.level(callers));
        }

        double addedP50(Measured direct) {
            return level(1).p50() - direct.level(1).p50();
        }

        double addedP99(Measured direct) {
            return level(1).p99() - direct.level(1).p99();
        }

        double perSecond() {
            return level(MANY).perSecond();
        }

        String line() {
            return "| %s | %s | %.0f | %s | %s | %s | %.0f | %d |"
                    .formatted(
                            name,
                            level(1).cells(),
                            level(16).perSecond(),
                            Double.isNaN(first) ? "" : "%.0f".formatted(first),
                            level(MANY).cells(),
                            levels.containsKey(MOST)
                                    ? "%.0f".formatted(level(MOST).perSecond())
                                    : "",
                            megabytes,
                            errors());
        }

        @Override
        public void close() throws IOException {
            for (var row : rows) {
                row.close();
            }
            end.close();
        }
    }
}
