package io.mcpbridge.audit.database;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * The one PostgreSQL of all tests: in a container where there is Docker, else one of our own, so that these tests are
 * never skipped. It ends with the last test.
 */
public final class SharedPostgres implements BeforeAllCallback {
    private static volatile PostgresServer server;

    @Override
    public void beforeAll(ExtensionContext context) {
        var store = context.getRoot().getStore(Namespace.create(SharedPostgres.class));
        server = store.computeIfAbsent("server", key -> start(), PostgresServer.class);
    }

    private static PostgresServer start() {
        return DockerServer.isPossible(System.getenv()) ? DockerServer.start() : EmbeddedServer.start();
    }

    public static PostgresServer server() {
        return server;
    }
}
