package io.mcpbridge.benchmarks;

import io.mcpbridge.message.JsonStrings;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The {@linkplain Peer peers} of one run and the folder of their sockets and logs, until {@link #end}. */
final class Peers {
    private static final String COMMAND = System.getProperty("benchmarks.command", "mcp-bridge");
    private static final Duration START = Duration.ofSeconds(30);

    private final Path folder = Files.createTempDirectory("mcp-bridge-benchmark");
    private final List<Process> processes = new ArrayList<>();

    Peers() throws IOException {}

    /** Starts a peer that opens one socket. */
    Path start(String kind, String name) throws IOException, InterruptedException {
        return start(kind, List.of(name)).get(0);
    }

    /** Starts a peer that opens sockets of these names, and waits for them. */
    List<Path> start(String kind, List<String> names) throws IOException, InterruptedException {
        var sockets = names.stream().map(this::socket).toList();
        start(
                kind,
                Stream.concat(command(kind).stream(), sockets.stream().map(Path::toString))
                        .toList(),
                sockets);
        return sockets;
    }

    /** Starts the command with default settings; {@code servers} are the members of {@code mcpServers}. */
    Path startDaemon(String servers, String settings) throws IOException, InterruptedException {
        return startDaemon("bridge", servers, settings);
    }

    /** Like {@link #startDaemon(String, String)}, with a name for the socket. */
    Path startDaemon(String name, String servers, String settings) throws IOException, InterruptedException {
        return startDaemon(name, servers, settings, "");
    }

    /** Like {@link #startDaemon(String, String, String)}, with more listeners after a comma. */
    Path startDaemon(String name, String servers, String settings, String listeners)
            throws IOException, InterruptedException {
        var front = socket(name);
        var config = folder.resolve(name + ".json");
        Files.writeString(
                config,
                "{\"mcpServers\":{%s},\"bridge\":{%s\"listen\":{\"unix\":{\"path\":%s}%s}}}"
                        .formatted(servers, settings, JsonStrings.quote(front.toString()), listeners));
        start(name, List.of(COMMAND, "serve", "--config", config.toString()), List.of(front));
        return front;
    }

    /** The command line of a peer. */
    static List<String> command(String kind) {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return List.of(java, "-cp", System.getProperty("java.class.path"), Peer.class.getName(), kind);
    }

    /** The process started last. */
    ProcessHandle last() {
        return processes.get(processes.size() - 1).toHandle();
    }

    /** A port that no process uses. */
    static int freePort() throws IOException {
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    /** The folder for files of the peers. */
    Path folder() {
        return folder;
    }

    private Path socket(String name) {
        return folder.resolve(name + ".sock");
    }

    private void start(String kind, List<String> command, List<Path> sockets) throws IOException, InterruptedException {
        var log = folder.resolve(kind + ".log");
        var builder =
                new ProcessBuilder(command).redirectOutput(Redirect.DISCARD).redirectError(log.toFile());
        for (var variable : List.of("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")) {
            builder.environment().put(variable, folder.toString());
        }
        var process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        processes.add(process);
        var end = System.nanoTime() + START.toNanos();
        while (!sockets.stream().allMatch(Files::exists)) {
            if (System.nanoTime() > end || process.waitFor(20, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the peer '%s' did not open all of %s; its log: %s"
                        .formatted(kind, sockets, Files.readString(log)));
            }
        }
    }

    void end() throws IOException, InterruptedException {
        Collections.reverse(processes);
        for (var process : processes) {
            process.destroy();
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        }
        delete(folder);
    }

    /** Deletes a folder and its contents. */
    static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
