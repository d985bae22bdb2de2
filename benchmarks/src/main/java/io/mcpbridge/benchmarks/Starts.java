package io.mcpbridge.benchmarks;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/**
 * Measures gateways from the start of their command to the first answers in one session, their memory when idle, and
 * short commands beside an empty one of Node.js.
 */
final class Starts {
    private static final int STARTS = Plan.times(7, 3);
    private static final int COMMANDS = Plan.times(15, 7);
    private static final Duration IDLE = Plan.seconds(60, 10);

    private final List<Start> starts =
            Gateway.installed().stream().map(Start::new).toList();

    private Starts() {}

    public static void main(String[] arguments) throws Exception {
        if (!Gateway.isPossible()) {
            return;
        }
        var benchmark = new Starts();
        for (int i = 0; i < STARTS; i++) {
            var order = new ArrayList<>(benchmark.starts);
            Collections.shuffle(order, new Random(i));
            for (var start : order) {
                start.measure();
            }
        }
        benchmark.idle();
        benchmark.print();
        commands();
    }

    private void idle() throws Exception {
        try (var all = new Peers()) {
            for (var start : starts) {
                var gateway = all.closing(new RunningGateway(start.gateway));
                try (var session = gateway.awaitSession()) {
                    gateway.awaitCall(session);
                }
                start.process = gateway.handle();
            }
            Thread.sleep(IDLE.toMillis());
            for (var start : starts) {
                start.megabytes = Usage.megabytes(start.process);
            }
        }
    }

    private void print() {
        Goals.say("%d interleaved starts each, medians; idle for %d s.%n".formatted(STARTS, IDLE.toSeconds()));
        Goals.say("| | first `initialize`, ms | first `tools/call`, ms | MB idle |");
        Goals.say("|---|---|---|---|");
        starts.forEach(start -> Goals.say("| %s | %.0f | %.0f | %.0f |"
                .formatted(start.gateway.name(), start.initialized(), start.called(), start.megabytes)));
        Goals.begin();
        var rust = find(Gateway.RUST);
        var npm = starts.stream().filter(start -> start.gateway.isOfNpm()).toList();
        for (var front : List.of(Gateway.HTTP, Gateway.UNIX)) {
            var ours = find(front).orElseThrow();
            var name = front.name().replace("ours, ", "");
            rust.ifPresent(peer -> {
                Goals.atMost("first initialize / Rust's, " + name, 1.3, ours.initialized() / peer.initialized());
                Goals.atMost("first call / Rust's, " + name, 1.3, ours.called() / peer.called());
            });
            if (npm.size() == Gateway.OF_NPM) {
                besideNpm("P11 first initialize / best npm gateway's, " + name, ours, npm, Start::initialized);
                besideNpm("P11 first call / best npm gateway's, " + name, ours, npm, Start::called);
                besideNpm("P11 MB idle / best npm gateway's, " + name, ours, npm, start -> start.megabytes);
            }
            Goals.atMost("MB idle, " + name, 64, ours.megabytes);
        }
    }

    private static void besideNpm(String goal, Start ours, List<Start> npm, ToDoubleFunction<Start> figure) {
        var least = npm.stream().mapToDouble(figure).min().orElseThrow();
        Goals.atMost(goal, 1, figure.applyAsDouble(ours) / least);
    }

    private Optional<Start> find(Gateway gateway) {
        return starts.stream().filter(start -> start.gateway.equals(gateway)).findFirst();
    }

    private static void commands() throws Exception {
        var command = Gateway.UNIX.program().toString();
        try (var running = new RunningGateway(Gateway.UNIX);
                var session = running.awaitSession()) {
            running.awaitCall(session);
            var socket = running.socket();
            var node = new Spans();
            var version = new Spans();
            var call = new Spans();
            for (int i = 0; i < COMMANDS; i++) {
                node.measure(1, () -> execute(socket, "node", "-e", "0"));
                version.measure(1, () -> execute(socket, command, "version"));
                call.measure(1, () -> execute(socket, command, "call", "everything.echo", "{\"message\":\"hi\"}"));
            }
            Goals.figure("node -e 0, ms", node.at(0.5) / 1e3);
            Goals.atMost("mcp-bridge version / node -e 0", 2, version.at(0.5) / node.at(0.5));
            Goals.atMost("mcp-bridge call / node -e 0", 3, call.at(0.5) / node.at(0.5));
        }
    }

    private static void execute(Path socket, String... command) throws IOException, InterruptedException {
        var builder =
                new ProcessBuilder(command).redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD);
        builder.environment().put("MCP_BRIDGE_SOCKET", socket.toString());
        var code = builder.start().waitFor();
        if (code != 0) {
            throw new IllegalStateException("%s ended with %d".formatted(List.of(command), code));
        }
    }

    /** The starts of a gateway, in milliseconds. */
    private static final class Start {
        private final Gateway gateway;
        private final List<Double> initialized = new ArrayList<>();
        private final List<Double> called = new ArrayList<>();
        private ProcessHandle process = ProcessHandle.current();
        private double megabytes;

        Start(Gateway gateway) {
            this.gateway = gateway;
        }

        void measure() throws Exception {
            try (var running = new RunningGateway(gateway);
                    var session = running.awaitSession()) {
                initialized.add(running.millis());
                running.awaitCall(session);
                called.add(running.millis());
            }
        }

        double initialized() {
            return Spans.median(initialized.stream().mapToDouble(each -> each));
        }

        double called() {
            return Spans.median(called.stream().mapToDouble(each -> each));
        }
    }
}
