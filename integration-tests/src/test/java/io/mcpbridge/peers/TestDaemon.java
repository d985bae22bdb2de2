package io.mcpbridge.peers;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.gateway.Daemon;
import io.mcpbridge.gateway.DaemonOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A daemon in this process, at a Unix socket and a loopback port, for one class of tests; shows after them that
 * nothing is left behind.
 */
final class TestDaemon implements BeforeAllCallback, AfterAllCallback {
    private final Map<String, Supplier<? extends PeerServer>> servers = new LinkedHashMap<>();
    private final List<PeerServer> running = new ArrayList<>();
    private @Nullable Leftovers leftovers;
    private @Nullable Path folder;
    private @Nullable Daemon daemon;

    /** Puts a server behind the daemon, which is started with it. */
    TestDaemon server(String name, Supplier<? extends PeerServer> server) {
        servers.put(name, server);
        return this;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        leftovers = Leftovers.now();
        // Short, since the path of a socket has 106 bytes at the most.
        folder = Files.createTempDirectory("peers");
        daemon = Daemon.start(configuration(folder), DaemonOptions.DEFAULTS);
    }

    private BridgeConfiguration configuration(Path place) {
        var sections = new LinkedHashMap<String, String>();
        servers.forEach((name, server) -> {
            var started = server.get();
            running.add(started);
            sections.put(name, started.section());
        });
        return BridgeConfiguration.parse(json(sections, place.resolve("b.sock")), place, Map.of());
    }

    /** A configuration file with these servers and a Unix socket. */
    static String json(Map<String, String> sections, Path socket) {
        return "{\"mcpServers\": {%s}, \"bridge\": {\"listen\": {\"unix\": {\"path\": \"%s\"}, \"http\": {\"port\": 0}}}}"
                .formatted(
                        sections.entrySet().stream()
                                .map(entry -> "\"%s\": %s".formatted(entry.getKey(), entry.getValue()))
                                .collect(Collectors.joining(",\n")),
                        socket);
    }

    Daemon running() {
        return Objects.requireNonNull(daemon);
    }

    Path socket() {
        return Objects.requireNonNull(folder).resolve("b.sock");
    }

    URI http() {
        return running().addresses().get(1);
    }

    /** Connects our own library to the daemon; nothing is tried twice. */
    Connection connect() throws InterruptedException {
        return Connection.to(
                URI.create("unix:" + socket()),
                ConnectionOptions.DEFAULTS
                        .withRetryPolicy("none")
                        .withMaxAttempts(1)
                        .withoutSchemaCheck());
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (daemon != null) {
            daemon.close();
        }
        running.forEach(PeerServer::close);
        delete(Objects.requireNonNull(folder));
        Objects.requireNonNull(leftovers).assertNone();
    }

    static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
