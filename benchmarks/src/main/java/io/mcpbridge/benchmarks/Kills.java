package io.mcpbridge.benchmarks;

import io.mcpbridge.Bridge;
import io.mcpbridge.sdk.BridgeTransports;
import io.mcpbridge.testkit.faulty.ExecutionCounter;
import io.mcpbridge.testkit.faulty.FaultyServerMain;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Kills a server a hundred times while an unchanged {@link McpSyncClient} calls it: over a bridge, and over the SDK's
 * own transport, where the program connects again after a call without an answer. Half of the calls may run twice, half
 * must not. Takes about eight minutes.
 */
final class Kills {
    private static final int KILLS = 100;
    private static final int CALLS_PER_KILL = 20;

    private final Path folder;
    private final Supplier<McpClientTransport> transports;
    private final Duration timeout;
    private McpSyncClient client;
    private int calls;
    private int answered;
    private int failed;
    private int sessionsLost;

    private Kills(Path folder, Duration timeout, Supplier<McpClientTransport> transports) {
        this.folder = folder;
        this.timeout = timeout;
        this.transports = transports;
        this.client = connect();
    }

    public static void main(String[] arguments) throws Exception {
        Goals.say(
                "| %d kills | calls | answered | answered by an error | sessions lost | ran twice |".formatted(KILLS));
        Goals.say("|---|---|---|---|---|---|");
        measure(
                "McpSyncClient over a bridge",
                Duration.ofSeconds(20),
                (bridge, command) -> BridgeTransports.of(bridge, "s"));
        measure("McpSyncClient over its own transport", Duration.ofSeconds(3), (bridge, command) -> ofTheSdk(command));
    }

    /** @param timeout the client's time-out, which a restart of the server must fit in where it happens within a call */
    private static void measure(
            String name, Duration timeout, BiFunction<Bridge, List<String>, McpClientTransport> transports)
            throws Exception {
        var folder = Files.createTempDirectory("mcp-bridge-kills");
        var command = FaultyServerMain.command("--state", folder.toString());
        try (var bridge = Bridge.builder().stdio("s", command, Map.of()).open()) {
            var benchmark = new Kills(folder, timeout, () -> transports.apply(bridge, command));
            benchmark.run();
            Goals.say(benchmark.line(name));
        } finally {
            Peers.delete(folder);
        }
    }

    private static McpClientTransport ofTheSdk(List<String> command) {
        var server = ServerParameters.builder(command.get(0))
                .args(command.subList(1, command.size()))
                .build();
        return new StdioClientTransport(server, McpJsonDefaults.getMapper());
    }

    private McpSyncClient connect() {
        var connected = McpClient.sync(transports.get()).requestTimeout(timeout).build();
        connected.initialize();
        return connected;
    }

    private void run() throws IOException {
        var random = new Random(KILLS);
        for (int i = 0; i < KILLS; i++) {
            // Not the first call, which may have to start the server.
            var fatal = 1 + random.nextInt(CALLS_PER_KILL - 1);
            callOften(fatal);
            kill();
            callOften(CALLS_PER_KILL - fatal);
        }
        client.close();
    }

    /** Kills the server in the background, so that the next call finds it alive, dying or dead. */
    private void kill() throws IOException {
        var starts = Files.readAllLines(folder.resolve("starts"));
        var pid = Long.parseLong(starts.get(starts.size() - 1));
        new Thread(() -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly)).start();
    }

    private void callOften(int times) {
        for (int i = 0; i < times; i++) {
            calls++;
            try {
                client.callTool(CallToolRequest.builder(calls % 2 == 0 ? "echo" : "count")
                        .arguments(Map.of("text", "hi", "key", Integer.toString(calls)))
                        .build());
                answered++;
            } catch (McpError error) {
                failed++;
            } catch (RuntimeException noAnswer) {
                sessionsLost++;
                client.close();
                client = connect();
            }
        }
    }

    private String line(String name) {
        var twice = ExecutionCounter.in(folder).executions().values().stream()
                .filter(times -> times > 1)
                .count();
        return "| %s | %d | %d | %d | %d | %d |".formatted(name, calls, answered, failed, sessionsLost, twice);
    }
}
