package io.mcpbridge.benchmarks;

import io.mcpbridge.Bridge;
import io.mcpbridge.message.Era;
import io.mcpbridge.testkit.faulty.FaultScript;
import io.mcpbridge.testkit.faulty.FaultyServer;
import io.mcpbridge.workflow.Workflow;
import io.mcpbridge.workflow.WorkflowEngine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Compares a workflow of ten independent calls of 100 ms with one such call, and a step of a chain with a plain call,
 * alternately. Takes about ten seconds.
 */
final class Workflows {
    private static final String SLOW = "\"tool\":\"s.slow\",\"params\":{\"millis\":100}";
    private static final String ECHO = "\"tool\":\"s.echo\",\"params\":{\"text\":\"hi\"}";
    private static final int ROUNDS = 10;
    private static final int CALLS = 200;
    private static final int WARM_UP = 2_000;
    private static final int CHAIN = 50;

    private final Bridge bridge;
    private final WorkflowEngine engine;

    private Workflows(Bridge bridge) {
        this.bridge = bridge;
        this.engine = WorkflowEngine.of(bridge);
    }

    public static void main(String[] arguments) throws Exception {
        var folder = Files.createTempDirectory("mcp-bridge-workflows");
        var socket = folder.resolve("s.sock");
        try (var server = FaultyServer.overUnix(socket, Era.LEGACY, FaultScript.NONE);
                var bridge = Bridge.builder()
                        .unix("s", Path.of(server.uri().getPath()))
                        .open()) {
            var benchmark = new Workflows(bridge);
            Goals.begin();
            benchmark.compareIndependentCalls();
            benchmark.compareStepAndCall();
        } finally {
            Peers.delete(folder);
        }
    }

    private void compareIndependentCalls() throws Exception {
        var ten = workflow(10, i -> SLOW);
        var one = new Spans();
        var all = new Spans();
        execute(ten);
        one.measure(ROUNDS, () -> bridge.callTool("s", "slow", Map.of("millis", 100)));
        all.measure(ROUNDS, () -> execute(ten));
        Goals.figure("p50 of a call of 100 ms, ms", one.at(0.5) / 1e3);
        Goals.atMost("p50 of a workflow of 10 such calls / one call", 1.2, all.at(0.5) / one.at(0.5));
    }

    private void compareStepAndCall() throws Exception {
        var chain = workflow(CHAIN, i -> i == 0 ? ECHO : "%s,\"dependsOn\":[\"s%d\"]".formatted(ECHO, i - 1));
        var single = workflow(1, i -> ECHO);
        Spans.Work call = () -> bridge.callTool("s", "echo", Map.of("text", "hi"));
        new Spans().measure(WARM_UP, call);
        new Spans().measure(WARM_UP / CHAIN, () -> execute(chain));
        var calls = new Spans();
        var chains = new Spans();
        var singles = new Spans();
        for (int i = 0; i < ROUNDS; i++) {
            calls.measure(CALLS, call);
            chains.measure(CALLS / CHAIN, () -> execute(chain));
            singles.measure(CALLS, () -> execute(single));
        }
        Goals.figure("p50 of a plain call, us", calls.at(0.5));
        Goals.figure("p50 of a step in a chain of %d, us".formatted(CHAIN), chains.at(0.5) / CHAIN);
        Goals.figure("p50 of a workflow of one step, us", singles.at(0.5));
    }

    private static Workflow workflow(int steps, IntFunction<String> members) {
        return Workflow.parse(IntStream.range(0, steps)
                .mapToObj(i -> "{\"name\":\"s%d\",%s}".formatted(i, members.apply(i)))
                .collect(Collectors.joining(",", "{\"steps\":[", "]}")));
    }

    private void execute(Workflow workflow) throws InterruptedException {
        var result = engine.execute(workflow, Map.of());
        if (!result.isOk()) {
            throw new IllegalStateException(result.summary());
        }
    }
}
