package io.mcpbridge.gateway;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.testkit.Script;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** An in-process daemon with the servers and clients of one test; closed at the end of the test. */
final class DaemonFixture implements Closeable, AfterEachCallback {
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    final Path folder;
    private final LeakCheck residue = LeakCheck.now();
    private final Map<String, String> servers = new LinkedHashMap<>();
    private final Deque<Closeable> toClose = new ArrayDeque<>();
    private String bridge = "";
    private @Nullable Daemon daemon;

    DaemonFixture() throws IOException {
        // Short, because the path of a socket is limited to 106 bytes.
        folder = Files.createTempDirectory("gw");
    }

    /** A running daemon with one server over a Unix socket. */
    static DaemonFixture serving(String name, Script script) {
        try {
            var fixture = new DaemonFixture();
            fixture.unix(name, script);
            fixture.start();
            return fixture;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Adds a section to {@code mcpServers}. */
    DaemonFixture server(String name, String section) {
        servers.put(name, section);
        return this;
    }

    DaemonFixture without(String name) {
        servers.remove(name);
        return this;
    }

    /** Adds a server in this process, reached over a Unix socket. */
    UnixToolServer unix(String name, Script script) throws IOException {
        var server = closeLater(new UnixToolServer(folder.resolve(name + ".sock"), script));
        server(name, server.section());
        return server;
    }

    /** Adds a server in this process, reached over HTTP. */
    void http(String name, Script script) throws IOException {
        server(name, closeLater(new HttpToolServer(script)).section());
    }

    /** Adds a server that is a child of the daemon. */
    void child(String name, String... tools) {
        server(name, childSection(name, tools));
    }

    static String childSection(String name, String... tools) {
        var args = new ArrayList<>(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                ToolScript.class.getName(),
                name));
        args.addAll(List.of(tools));
        return "{\"command\": \"%s\", \"args\": [%s]}"
                .formatted(JAVA, args.stream().map(arg -> "\"" + arg + "\"").collect(Collectors.joining(", ")));
    }

    /** Sets members of the {@code bridge} object beside {@code listen}, each followed by a comma. */
    DaemonFixture bridge(String members) {
        bridge = members;
        return this;
    }

    BridgeConfiguration configuration() {
        return BridgeConfiguration.parse(json(), folder, Map.of());
    }

    String json() {
        var sections = servers.entrySet().stream()
                .map(entry -> "\"%s\": %s".formatted(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(",\n"));
        return "{\"mcpServers\": {\n%s},\n\"bridge\": {%s\"listen\": {\"unix\": {\"path\": \"%s\"}, \"http\": {\"port\": 0}}}}"
                .formatted(sections, bridge, folder.resolve("bridge.sock"));
    }

    Daemon start() {
        return start(DaemonOptions.DEFAULTS);
    }

    Daemon start(DaemonOptions options) {
        var started = Daemon.start(configuration(), options);
        daemon = started;
        return started;
    }

    /** The same with another configuration instead of {@link #json}. */
    Daemon start(String json) {
        return start(BridgeConfiguration.parse(json, folder, Map.of()));
    }

    /** The same with another configuration. */
    Daemon start(BridgeConfiguration configuration) {
        var started = Daemon.start(configuration, DaemonOptions.DEFAULTS);
        daemon = started;
        return started;
    }

    /** The usual environment with another log. */
    Environment logging(System.Logger log) {
        var usual = usual();
        return Environment.of(usual.timekeeper(), usual.workers(), usual.launcher())
                .withLogger(log);
    }

    /** The usual environment with a clock that the test moves. */
    Environment timedBy(Timekeeper clock) {
        var usual = usual();
        return Environment.of(clock, usual.workers(), usual.launcher());
    }

    private Environment usual() {
        var owned = StandardEnvironment.open();
        closeLater(owned::close);
        return owned.environment();
    }

    /** The daemon started last. */
    Daemon running() {
        return Objects.requireNonNull(daemon, "the daemon has not started");
    }

    URI unixAddress() {
        return folder.resolve("bridge.sock").toUri();
    }

    URI httpAddress() {
        return running().addresses().stream()
                .filter(address -> "http".equals(address.getScheme()))
                .findFirst()
                .orElseThrow();
    }

    Path adminSocket() {
        return folder.resolve("admin.sock");
    }

    LineClient client(String name) throws IOException {
        return closeLater(LineClient.initialized(unixAddress(), name));
    }

    <T extends Closeable> T closeLater(T closeable) {
        toClose.push(closeable);
        return closeable;
    }

    /** The current sockets in the folder. */
    List<String> sockets() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".sock"))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void afterEach(ExtensionContext test) throws IOException {
        close();
    }

    @Override
    public void close() throws IOException {
        if (daemon != null) {
            daemon.close();
        }
        while (!toClose.isEmpty()) {
            toClose.pop().close();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        residue.assertNothingLeft();
    }
}
