package io.mcpbridge.faults;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.peers.JavaCommand;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A daemon in a process of its own with a faulty server as its child; closing it kills both. */
final class OwnProcess implements AutoCloseable {
    /** Some start with libraries in front of them that make them slow. */
    private static final Duration START = Duration.ofMinutes(1);

    private final Process process;
    private final Path folder;

    private OwnProcess(Process process, Path folder) {
        this.process = process;
        this.folder = folder;
    }

    /** Starts one with more variables in its environment. */
    static OwnProcess start(Path folder, Map<String, String> variables) throws IOException {
        return start(folder, variables, FaultBench.childSection(folder));
    }

    /** Starts one with another section for its server. */
    static OwnProcess start(Path folder, Map<String, String> variables, String section) throws IOException {
        var json = "{\"mcpServers\": {\"faulty\": %s}, \"bridge\": {\"listen\": {\"unix\": {\"path\": \"%s\"}}}}"
                .formatted(section, folder.resolve("b.sock"));
        var file = Files.writeString(folder.resolve("mcp.json"), json);
        var builder = new ProcessBuilder(JavaCommand.of("io.mcpbridge.cli.Main", "serve", "--config", file.toString()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
        builder.environment().putAll(variables);
        var started = new OwnProcess(builder.start(), folder);
        try {
            Eventually.holds(START, started::log, () -> Files.exists(folder.resolve("b.sock")));
            return started;
        } catch (AssertionError late) {
            started.process.destroyForcibly();
            throw late;
        }
    }

    private String log() {
        try {
            return "the daemon to listen; it says: " + Files.readString(folder.resolve("log"));
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    void signal(String name) throws IOException, InterruptedException {
        FaultBench.signal(name, process.toHandle());
    }

    Connection connect() throws InterruptedException {
        return Connection.to(
                URI.create("unix:" + folder.resolve("b.sock")),
                ConnectionOptions.DEFAULTS
                        .withRetryPolicy("none")
                        .withMaxAttempts(1)
                        .withoutSchemaCheck());
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
