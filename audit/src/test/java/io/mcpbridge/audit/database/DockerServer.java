package io.mcpbridge.audit.database;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** The latest PostgreSQL, in a container. */
final class DockerServer implements PostgresServer {
    private static final String IMAGE = "postgres:18-alpine";

    private final PostgreSQLContainer container;

    private DockerServer() {
        container = new PostgreSQLContainer(IMAGE);
        container.start();
    }

    static DockerServer start() {
        return new DockerServer();
    }

    /** Whether containers can be started here; returns at once if there is clearly no Docker. */
    static boolean isPossible(Map<String, String> variables) {
        var isPlausible = variables.containsKey("DOCKER_HOST") || Files.exists(Path.of("/var/run/docker.sock"));
        return isPlausible && DockerClientFactory.instance().isDockerAvailable();
    }

    @Override
    public String url() {
        return container.getJdbcUrl();
    }

    @Override
    public String user() {
        return container.getUsername();
    }

    @Override
    public String password() {
        return container.getPassword();
    }

    @Override
    public void close() {
        container.close();
    }
}
