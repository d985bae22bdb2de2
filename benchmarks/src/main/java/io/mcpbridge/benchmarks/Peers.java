package io.mcpbridge.benchmarks;

import io.mcpbridge.message.JsonStrings;
import java.io.Closeable;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The processes of one run, the {@linkplain Peer peers} among them, the folder of their sockets and logs, and what uses
 * them. {@link #close} closes all in reverse order.
 */
final class Peers implements Closeable {
    /** A setting for runs in which raw callers, which answer no pings, wait for their turn. */
    static final String NO_PINGS = "\"keep-alive\":\"0s\",";

    private static final String COMMAND = System.getProperty("benchmarks.command", "mcp-bridge");
    private static final Duration START = Duration.ofSeconds(30);

    private final Path folder = Files.createTempDirectory("mcp-bridge-benchmark");
    private final Deque<Closeable> opened = new ArrayDeque<>();
    private ProcessHandle last = ProcessHandle.current();

    Peers() throws IOException {}

    /** Closes a part of the run before the processes that it uses. */
    <T extends Closeable> T closing(T part) {
        opened.push(part);
        return part;
    }

    /** Starts a peer that opens one socket. */
    Path start(String kind, String name) throws IOException, InterruptedException {
        return start(kind, List.of(name)).get(0);
    }

    /** Starts a peer that opens sockets of these names, and waits for them. */
    List<Path> start(String kind, List<String> names) throws IOException, InterruptedException {
        var sockets = names.stream().map(this::socket).toList();
        var command = Stream.concat(command(kind).stream(), sockets.stream().map(Path::toString));
        await(run(names.get(0), command.toList()), names.get(0), sockets);
        return sockets;
    }

    /** Starts the daemon; {@code servers} are the members of {@code mcpServers}, {@code settings} end with a comma. */
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
                "{\"mcpServers\":{%s},\"bridge\":{%s\"listen\":{\"unix\":{\"path\":%s,\"max-connections\":20000}%s}}}"
                        .formatted(servers, settings, JsonStrings.quote(front.toString()), listeners));
        var process = run(name, List.of(COMMAND, "serve", "--config", config.toString()));
        await(process, name, List.of(front));
        return front;
    }

    /** Starts any process, whose files stay in the folder and whose errors go to a log there. */
    Process run(String name, List<String> command) throws IOException {
        var builder = new ProcessBuilder(command)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(log(name).toFile());
        for (var variable : List.of("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")) {
            builder.environment().put(variable, folder.toString());
        }
        var process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        last = process.toHandle();
        closing(() -> end(process));
        return process;
    }

    private void await(Process process, String name, List<Path> sockets) throws IOException, InterruptedException {
        var end = System.nanoTime() + START.toNanos();
        while (!sockets.stream().allMatch(Files::exists)) {
            if (System.nanoTime() > end || process.waitFor(20, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the peer '%s' did not open all of %s; its log: %s"
                        .formatted(name, sockets, Files.readString(log(name))));
            }
        }
    }

    /** The command line of a peer. */
    static List<String> command(String kind) {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return List.of(java, "-cp", System.getProperty("java.class.path"), Peer.class.getName(), kind);
    }

    /** The process started last. */
    ProcessHandle last() {
        return last;
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

    /** Where a process listens. */
    Path socket(String name) {
        return folder.resolve(name + ".sock");
    }

    /** Where a process writes its errors. */
    Path log(String name) {
        return folder.resolve(name + ".log");
    }

    @Override
    public void close() throws IOException {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        delete(folder);
    }

    /** Ends a process and those that it started. */
    private static void end(Process process) {
        var children = process.descendants().toList();
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        children.forEach(ProcessHandle::destroyForcibly);
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
