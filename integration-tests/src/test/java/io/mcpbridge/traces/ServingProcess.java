package io.mcpbridge.traces;

import io.mcpbridge.Connection;
import io.mcpbridge.peers.JavaCommand;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code mcp-bridge serve} with one server, {@code telling}, in a process of its own; closing it kills both. */
final class ServingProcess implements AutoCloseable {
    private final Process process;
    private final Path folder;

    private ServingProcess(Process process, Path folder) {
        this.process = process;
        this.folder = folder;
    }

    /** Starts one with these arguments, and variables beside those of this process. */
    static ServingProcess start(Path folder, Map<String, String> variables, String... arguments) throws IOException {
        var file = Files.writeString(folder.resolve("mcp.json"), TellingChild.json(folder));
        var command = new ArrayList<>(JavaCommand.of("io.mcpbridge.cli.Main", "serve", "--config", file.toString()));
        command.add(1, "-Xlog:class+load:file=" + folder.resolve("classes"));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
        builder.environment().putAll(variables);
        var started = new ServingProcess(builder.start(), folder);
        Eventually.holds(started::log, () -> Files.exists(folder.resolve("b.sock")));
        return started;
    }

    /** Calls the tool of its server as often as that; the longest that one took. */
    Duration call(int times) throws InterruptedException {
        var longest = Duration.ZERO;
        try (var client = Connection.to(URI.create("unix:" + folder.resolve("b.sock")))) {
            // A tool that is not listed has no name in telemetry.
            client.listTools();
            client.callTool("telling__context", Map.of());
            for (var i = 1; i < times; i++) {
                var took = client.callTool("telling__context", Map.of()).duration();
                longest = took.compareTo(longest) > 0 ? took : longest;
            }
        }
        return longest;
    }

    /** Ends it by TERM; how long that took. */
    Duration end() throws InterruptedException {
        var before = System.nanoTime();
        process.toHandle().destroy();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new AssertionError("the daemon did not end; it says: " + log());
        }
        return Duration.ofNanos(System.nanoTime() - before);
    }

    int exitCode() {
        return process.exitValue();
    }

    String log() {
        return read("log");
    }

    /** The names of the classes that it has loaded so far. */
    String classes() {
        return read("classes");
    }

    private String read(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
