package io.mcpbridge.isolation;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.CallOptions;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.tool.ToolResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** A bridge with one server whose calls have a process each, and no limit of memory unless a test sets one. */
final class IsolationBench implements AutoCloseable {
    static final String NAME = "alone";
    private static final String PLAIN = "\"sandbox\": {\"level\": \"L0\"}";

    final Bridge bridge;

    private IsolationBench(String section, BridgeOptions options) {
        var json = "{\"mcpServers\": {\"%s\": %s}}".formatted(NAME, section);
        this.bridge = Bridge.open(BridgeConfiguration.parse(json, Path.of("."), Map.of("PATH", path())), options);
    }

    private static String path() {
        return System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
    }

    /** A {@link ShellServer} with more keys in its section, as a plain process, whose number it knows itself. */
    static IsolationBench of(String... more) {
        var keys = Stream.concat(Stream.of(PLAIN), Stream.of(more)).toArray(String[]::new);
        return new IsolationBench(ShellServer.section(keys), BridgeOptions.DEFAULTS);
    }

    /** The same in an environment of the test's own. */
    static IsolationBench in(Environment environment, String... more) {
        return new IsolationBench(ShellServer.section(more), BridgeOptions.DEFAULTS.withEnvironment(environment));
    }

    ToolResult call(String tool) throws InterruptedException {
        return bridge.callTool(NAME, tool, Map.of());
    }

    String text(String tool) throws InterruptedException {
        return call(tool).text();
    }

    CompletableFuture<ToolResult> begin(String tool) {
        return bridge.callToolAsync(NAME, tool, Map.of(), CallOptions.DEFAULTS);
    }

    /** Why a tool could not be called. */
    Failure failure(String tool) throws InterruptedException {
        return failure(tool, CallOptions.DEFAULTS);
    }

    Failure failure(String tool, Duration timeout) throws InterruptedException {
        return failure(tool, CallOptions.DEFAULTS.withTimeout(timeout));
    }

    private Failure failure(String tool, CallOptions options) throws InterruptedException {
        try {
            throw new AssertionError(
                    bridge.callTool(NAME, tool, Map.of(), options).json().text());
        } catch (CallException failed) {
            return failed.failure();
        }
    }

    /** Opens the common session, if it is not there. */
    void list() throws InterruptedException {
        bridge.listTools(NAME);
    }

    long commonPid() {
        return bridge.status().get(0).pid().orElseThrow();
    }

    /** The processes that are there now, those that they started included. */
    static List<ProcessHandle> processes() {
        return ProcessHandle.current()
                .descendants()
                .filter(ProcessHandle::isAlive)
                .toList();
    }

    @Override
    public void close() {
        bridge.close();
    }
}
