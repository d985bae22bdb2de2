package io.mcpbridge.audit.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.commons.io.FileUtils;

/** A PostgreSQL of our own, which can be killed and started again where it was. For one thread. */
public final class EmbeddedServer implements PostgresServer {
    private static final Duration START = Duration.ofSeconds(60);

    private final Path data;
    private EmbeddedPostgres postgres;

    private EmbeddedServer(Path data) throws IOException {
        this.data = data;
        this.postgres = start(0);
    }

    public static EmbeddedServer start() {
        try {
            return new EmbeddedServer(Files.createTempDirectory("mcp-bridge-postgres"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private EmbeddedPostgres start(int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setPort(port == 0 ? freePort() : port)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "off")
                .setPGStartupWait(START)
                .start();
    }

    private static int freePort() throws IOException {
        try (var socket = new java.net.ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Ends the server as a loss of power would, its open transactions with it. */
    public void kill() {
        try {
            var pid = Long.parseLong(
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0));
            var server = ProcessHandle.of(pid).orElseThrow();
            server.destroyForcibly();
            server.onExit().join();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    /** Starts it again at the same port with what it had on its disk. */
    public void startAgain() {
        var port = postgres.getPort();
        try {
            postgres.close();
            postgres = start(port);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public String url() {
        return "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(postgres.getPort());
    }

    @Override
    public String user() {
        return "postgres";
    }

    @Override
    public String password() {
        return "postgres";
    }

    @Override
    public void close() {
        try {
            postgres.close();
            FileUtils.deleteDirectory(data.toFile());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
