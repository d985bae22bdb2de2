package io.mcpbridge.faults;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.CallOptions;
import io.mcpbridge.ServerStatus;
import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.testkit.faulty.ExecutionCounter;
import io.mcpbridge.testkit.faulty.FaultyServerMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A bridge with one server, {@value #NAME}, under the policy {@code safe}. */
final class FaultBench implements AutoCloseable {
    static final String NAME = "faulty";
    static final CallOptions ONCE = CallOptions.DEFAULTS.withMaxAttempts(1);

    final Bridge bridge;
    private final Path folder;
    private final Runnable closing;

    private FaultBench(String section, Path folder) {
        this(section, folder, BridgeOptions.DEFAULTS, () -> {});
    }

    private FaultBench(String section, Path folder, BridgeOptions options, Runnable closing) {
        this.folder = folder;
        this.closing = closing;
        var json = "{\"mcpServers\": {\"%s\": %s}}".formatted(NAME, section);
        this.bridge = Bridge.open(BridgeConfiguration.parse(json, folder, Map.of()), options);
    }

    /** A server at a URI, with more keys in its section. */
    static FaultBench at(URI uri, String... more) throws IOException {
        return new FaultBench(object("\"url\": " + JsonStrings.quote(uri.toString()), more), folder());
    }

    /** A faulty server as a child, with these arguments. */
    static FaultBench withChild(String... arguments) throws IOException {
        var folder = folder();
        return new FaultBench(childSection(folder, arguments), folder);
    }

    /**
     * A faulty server as a child that is soon probed, and ended with that stop timeout. The time for its answer, by a
     * clock that the test advances, must be long enough for its start, too.
     */
    static FaultBench withSilentChild(Timekeeper clock, String stopTimeout, String... arguments) throws IOException {
        var folder = folder();
        var section = childSection(folder, arguments);
        var keys = "\"keep-alive\": \"300ms\", \"timeout\": \"30s\", \"stop-timeout\": \"%s\"".formatted(stopTimeout);
        var usual = StandardEnvironment.open();
        var environment = Environment.of(
                clock, usual.environment().workers(), usual.environment().launcher());
        return new FaultBench(
                with(keys, section), folder, BridgeOptions.DEFAULTS.withEnvironment(environment), usual::close);
    }

    /** The section with more keys. */
    static String with(String keys, String section) {
        return "{" + keys + ", " + section.substring(1);
    }

    static String childSection(Path state, String... arguments) {
        var all = Stream.concat(Stream.of("--state", state.toString()), Stream.of(arguments))
                .toArray(String[]::new);
        var command = FaultyServerMain.command(all);
        var quoted = command.stream().skip(1).map(JsonStrings::quote).collect(Collectors.joining(", "));
        return object("\"command\": " + JsonStrings.quote(command.get(0)), "\"args\": [" + quoted + "]");
    }

    private static String object(String first, String... more) {
        return Stream.concat(Stream.of(first, "\"retry\": \"safe\""), Stream.of(more))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static Path folder() throws IOException {
        return Files.createTempDirectory("faults");
    }

    /** What ran in the child. */
    ExecutionCounter ledger() {
        return ExecutionCounter.in(folder);
    }

    String echo(String text) throws InterruptedException {
        return bridge.callTool(NAME, "echo", Map.of("text", text)).text();
    }

    CompletableFuture<?> count(String key, CallOptions options) {
        return bridge.callToolAsync(NAME, "count", Map.of("key", key), options);
    }

    CompletableFuture<?> slow(Duration duration, CallOptions options) {
        return bridge.callToolAsync(NAME, "slow", Map.of("millis", duration.toMillis()), options);
    }

    /** Why a tool could not be called. */
    Failure failure(String tool, Map<String, ?> arguments, CallOptions options) throws InterruptedException {
        try {
            throw new AssertionError(
                    bridge.callTool(NAME, tool, arguments, options).json().text());
        } catch (CallException failed) {
            return failed.failure();
        }
    }

    ServerStatus status() {
        return bridge.status().get(0);
    }

    /** The child as it is now. */
    ProcessHandle child() {
        return ProcessHandle.of(status().pid().orElseThrow()).orElseThrow();
    }

    @Override
    public void close() {
        bridge.close();
        closing.run();
        delete(folder);
    }

    static void delete(Path folder) {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException leftBehind) {
            throw new UncheckedIOException(leftBehind);
        }
    }

    static void signal(String name, ProcessHandle process) throws IOException, InterruptedException {
        var sent = new ProcessBuilder(List.of("kill", "-" + name, Long.toString(process.pid()))).start();
        if (sent.waitFor() != 0) {
            throw new AssertionError("cannot send " + name + " to " + process.pid());
        }
    }
}
