package io.mcpbridge.benchmarks;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Measures calls through our gateway and through others before the same stdio server, and directly: the first seconds
 * after the start, then interleaved rounds of 1, 16 and 64 callers, and 512 for ours.
 */
final class GatewayCalls {
    private static final Duration COLD = Plan.seconds(5, 5);
    private static final Duration WARM_UP = Plan.seconds(12, 6);
    private static final Duration WARM_UP_OF_OTHERS = Plan.seconds(4, 2);
    private static final Duration ROUND = Plan.seconds(1.5, 1);
    private static final Duration REST = Plan.seconds(10, 3);
    private static final int ROUNDS = Plan.times(5, 3);
    private static final List<Integer> LEVELS = List.of(1, 16, 64);
    private static final int MANY = 64;
    private static final int CROWD = 512;

    private final List<Measured> all = new ArrayList<>();

    private GatewayCalls() {}

    public static void main(String[] arguments) throws Exception {
        if (!Gateway.isPossible()) {
            Goals.say("skipped: gateways need Node.js and npm");
            return;
        }
        var calls = new GatewayCalls();
        try {
            calls.run();
        } finally {
            for (var each : calls.all) {
                each.close();
            }
        }
    }

    private void run() throws Exception {
        all.add(Measured.direct());
        for (var gateway : Gateway.installed()) {
            all.add(Measured.cold(gateway));
        }
        for (var each : all) {
            each.level(MANY).row.warmUp(each.isOurs() ? WARM_UP : WARM_UP_OF_OTHERS);
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (var callers : LEVELS) {
                for (var each : all) {
                    each.level(callers).measure(each.process);
                }
            }
        }
        Thread.sleep(REST.toMillis());
        for (var each : all) {
            each.megabytes = Usage.megabytes(each.process);
        }
        for (var each : List.of(get(Gateway.HTTP.name()), get(Gateway.UNIX.name()))) {
            each.crowd();
        }
        print();
    }

    private Optional<Measured> find(String name) {
        return all.stream().filter(each -> each.name.equals(name)).findFirst();
    }

    private Measured get(String name) {
        return find(name).orElseThrow();
    }

    private void print() {
        Goals.say("%d rounds of %.1f s. CPU in us a call: gateway alone, with its server.%n"
                .formatted(ROUNDS, ROUND.toMillis() / 1e3));
        Goals.say("| | 1 caller: calls/s | p50 us | p99 us | CPU | 16: calls/s | first 5 s"
                + " | 64: calls/s | p50 us | p99 us | CPU | 512: calls/s | MB after load | errors |");
        Goals.say("|---|" + "---|".repeat(13));
        all.forEach(each -> Goals.say(each.line()));
        Goals.begin();
        Measured direct = get(Measured.DIRECT), http = get(Gateway.HTTP.name()), unix = get(Gateway.UNIX.name());
        besideDirect(direct, http, unix);
        find(Gateway.RUST.name()).ifPresent(rust -> besideRust(direct, http, unix, rust));
        find(Gateway.NPM.name()).ifPresent(npm -> besideNpm(direct, http, unix, npm));
        Goals.atMost("MB after load, HTTP", 128, http.megabytes);
        Goals.atMost("MB after load, Unix", 128, unix.megabytes);
        Goals.noErrors("our gateway", http.errors() + unix.errors());
    }

    private static void besideDirect(Measured direct, Measured http, Measured unix) {
        Goals.beside("1 caller, p50 / direct stdio, HTTP", http.p50() / direct.p50());
        Goals.beside("1 caller, p50 / direct stdio, Unix", unix.p50() / direct.p50());
        Goals.atLeast("64 callers, calls/s / direct stdio, HTTP", 0.55, http.perSecond() / direct.perSecond());
        Goals.atLeast("64 callers, calls/s / direct stdio, Unix", 0.65, unix.perSecond() / direct.perSecond());
        Goals.atLeast("16 callers, first 5 s / later, HTTP", 0.5, http.coldRatio());
        Goals.atLeast("16 callers, first 5 s / later, Unix", 0.5, unix.coldRatio());
    }

    private static void besideRust(Measured direct, Measured http, Measured unix, Measured rust) {
        Goals.atMost("1 caller, added p50 / Rust's, HTTP", 0.5, http.addedP50(direct) / rust.addedP50(direct));
        Goals.atMost("1 caller, p99 / Rust's, HTTP", 1, http.p99() / rust.p99());
        Goals.atLeast("64 callers, calls/s / Rust's, HTTP", 1.8, http.perSecond() / rust.perSecond());
        Goals.atLeast("64 callers, calls/s / Rust's, Unix", 2.2, unix.perSecond() / rust.perSecond());
        Goals.atMost("64 callers, CPU of the gateway / Rust's, HTTP", 0.45, http.cpuAlone() / rust.cpuAlone());
        Goals.beside("64 callers, CPU of the gateway / Rust's, Unix", unix.cpuAlone() / rust.cpuAlone());
    }

    private void besideNpm(Measured direct, Measured http, Measured unix, Measured npm) {
        var best = all.stream()
                .filter(each -> each.name.startsWith("npm"))
                .max(Comparator.comparingDouble(Measured::perSecond))
                .orElse(npm);
        Goals.atMost(
                "P3 1 caller, added p50 / npm mcp-proxy's, HTTP", 0.167, http.addedP50(direct) / npm.addedP50(direct));
        Goals.atMost(
                "P3 1 caller, added p99 / npm mcp-proxy's, HTTP", 0.033, http.addedP99(direct) / npm.addedP99(direct));
        Goals.atLeast("P4 64 callers, calls/s / best npm gateway's, HTTP", 6, http.perSecond() / best.perSecond());
        Goals.atLeast("P4 64 callers, calls/s / best npm gateway's, Unix", 8, unix.perSecond() / best.perSecond());
        Goals.atMost("P6 64 callers, CPU with server / npm mcp-proxy's, HTTP", 0.1, http.cpu() / npm.cpu());
    }

    /** A gateway, or the server itself, and what was measured. */
    private static final class Measured implements Closeable {
        static final String DIRECT = "direct stdio";

        private final String name;
        private final ProcessHandle process;
        private final Callers callers;
        private final Closeable end;
        private final List<Level> levels = new ArrayList<>();
        private Optional<Row> crowd = Optional.empty();
        private long coldErrors;
        private double cold = Double.NaN;
        private double megabytes;

        /** Opens callers, each with a session of its own if that does not start a server of its own. */
        private interface Callers {
            List<Contender> open(int count) throws IOException;
        }

        private Measured(String name, ProcessHandle process, Callers callers, Closeable end) throws IOException {
            this.name = name;
            this.process = process;
            this.callers = callers;
            this.end = end;
        }

        static Measured direct() throws IOException {
            var process = StdioServer.start(Gateway.SERVER);
            var server = new StdioServer(process);
            var direct = new Measured(
                    DIRECT,
                    process.toHandle(),
                    count -> Stream.generate(() -> server.caller(EchoCall.of("echo", "message")))
                            .limit(count)
                            .toList(),
                    process::destroy);
            direct.open();
            return direct;
        }

        /** Starts a gateway and calls it at once. */
        static Measured cold(Gateway gateway) throws Exception {
            var running = new RunningGateway(gateway);
            running.awaitCaller().close();
            var measured = new Measured(gateway.name(), running.handle(), running::callers, running);
            try (var row = new Row(gateway.name(), running.callers(16))) {
                measured.cold = row.once(COLD);
                measured.coldErrors = row.errors();
            }
            measured.open();
            return measured;
        }

        private void open() throws IOException {
            var opened = callers.open(MANY);
            LEVELS.forEach(count -> levels.add(new Level(count, new Row(name, opened.subList(0, count)))));
        }

        void crowd() throws IOException, InterruptedException {
            var row = new Row(name, callers.open(CROWD));
            crowd = Optional.of(row);
            row.warmUp(ROUND);
            row.measure(ROUND);
            row.measure(ROUND);
        }

        Level level(int callers) {
            return levels.stream()
                    .filter(level -> level.callers == callers)
                    .findFirst()
                    .orElseThrow();
        }

        long errors() {
            var rows = Stream.concat(levels.stream().map(level -> level.row), crowd.stream());
            return coldErrors + rows.mapToLong(Row::errors).sum();
        }

        boolean isOurs() {
            return name.equals(Gateway.HTTP.name()) || name.equals(Gateway.UNIX.name());
        }

        double p50() {
            return level(1).row.p50();
        }

        double p99() {
            return level(1).row.p99();
        }

        double addedP50(Measured direct) {
            return p50() - direct.p50();
        }

        double addedP99(Measured direct) {
            return p99() - direct.p99();
        }

        double perSecond() {
            return level(MANY).row.perSecond();
        }

        double coldRatio() {
            return cold / level(16).row.perSecond();
        }

        double cpuAlone() {
            return level(MANY).cpu(Usage::alone);
        }

        double cpu() {
            return level(MANY).cpu(Usage::withServer);
        }

        String line() {
            return "| %s | %s | %.0f | %s | %s | %s | %.0f | %d |"
                    .formatted(
                            name,
                            level(1).cells(),
                            level(16).row.perSecond(),
                            Double.isNaN(cold) ? "" : "%.0f".formatted(cold),
                            level(MANY).cells(),
                            crowd.map(row -> "%.0f".formatted(row.perSecond())).orElse(""),
                            megabytes,
                            errors());
        }

        @Override
        public void close() throws IOException {
            for (var level : levels) {
                level.row.close();
            }
            if (crowd.isPresent()) {
                crowd.get().close();
            }
            end.close();
        }
    }

    /** The rounds with one number of callers. */
    private static final class Level {
        private final int callers;
        private final Row row;
        /** Of each round, for one call. */
        private final List<Usage> usages = new ArrayList<>();

        Level(int callers, Row row) {
            this.callers = callers;
            this.row = row;
        }

        void measure(ProcessHandle process) throws InterruptedException {
            var before = Usage.of(process);
            row.measure(ROUND);
            usages.add(Usage.of(process).since(before).dividedBy(row.calls()));
        }

        double cpu(ToDoubleFunction<Usage> which) {
            return Spans.median(usages.stream().mapToDouble(which));
        }

        String cells() {
            return "%.0f | %.0f | %.0f | %.0f, %.0f"
                    .formatted(row.perSecond(), row.p50(), row.p99(), cpu(Usage::alone), cpu(Usage::withServer));
        }
    }
}
