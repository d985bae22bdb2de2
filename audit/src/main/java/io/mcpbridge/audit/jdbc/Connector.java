package io.mcpbridge.audit.jdbc;

import io.mcpbridge.failure.ConfigurationException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;

/** Where connections come from; may wait for the database. */
interface Connector {
    Connection connect() throws SQLException;

    /** Connections by the configuration, by whatever driver is on the class path. */
    static Connector of(JdbcAuditSettings settings) {
        var url = settings.url().reveal();
        var properties = properties(settings);
        requireDriver(settings);
        return () -> {
            keepPrivate(url);
            return DriverManager.getConnection(url, properties);
        };
    }

    /** What the driver is told beside the address. */
    static Properties properties(JdbcAuditSettings settings) {
        var url = settings.url().reveal();
        var properties = new Properties();
        if (url.startsWith("jdbc:postgresql:")) {
            // What the address says itself comes first. A server that is silent while it lets us in is as good as none.
            properties.putAll(Map.of(
                    "connectTimeout", "5",
                    "loginTimeout", "10",
                    "socketTimeout", "10",
                    "tcpKeepAlive", "true",
                    "ApplicationName", "mcp-bridge audit"));
        }
        if (!settings.user().isEmpty()) {
            properties.put("user", settings.user());
        }
        if (!settings.password().reveal().isEmpty()) {
            properties.put("password", settings.password().reveal());
        }
        return properties;
    }

    private static void requireDriver(JdbcAuditSettings settings) {
        try {
            var unused = DriverManager.getDriver(settings.url().reveal());
        } catch (SQLException none) {
            throw ConfigurationException.of(
                    "'url' is '%s' but there is no driver for it; add org.postgresql:postgresql or org.xerial:sqlite-jdbc to the class path, or correct it"
                            .formatted(settings.shownUrl()));
        }
    }

    /** A new SQLite file would be readable for everybody; its logs take its rights. */
    private static void keepPrivate(String url) throws SQLException {
        var path = url.startsWith("jdbc:sqlite:") ? url.substring("jdbc:sqlite:".length()) : "";
        if (path.isEmpty() || path.startsWith(":") || path.startsWith("file:") || path.contains("?")) {
            return;
        }
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try {
            var unused = Files.createFile(Path.of(path), owner);
        } catch (FileAlreadyExistsException there) {
            return;
        } catch (IOException | UnsupportedOperationException unusable) {
            throw new SQLException("the file '%s' cannot be made: %s".formatted(path, unusable), unusable);
        }
    }
}
