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

/** Connects to the database of a trail. */
interface ConnectionSource {

    Connection connect() throws SQLException;

    /**
     * The database that the settings name by its URL: each connection is a new one of the driver on the class path.
     *
     * @throws ConfigurationException if there is no driver for its URL
     */
    static ConnectionSource of(JdbcAuditSettings settings) {
        var url = settings.url().reveal();
        try {
            var unused = DriverManager.getDriver(url);
        } catch (SQLException e) {
            throw ConfigurationException.of(
                    "'url' is '%s' but there is no driver for it; add org.postgresql:postgresql or org.xerial:sqlite-jdbc to the class path, or correct it"
                            .formatted(settings.shownUrl()));
        }
        var properties = properties(settings);
        return () -> {
            makePrivate(url);
            return DriverManager.getConnection(url, properties);
        };
    }

    /** The properties of connections; those that the URL sets itself have precedence. */
    static Properties properties(JdbcAuditSettings settings) {
        var properties = new Properties();
        if (settings.url().reveal().startsWith("jdbc:postgresql:")) {
            // A server that does not answer during the login must not block the writer.
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

    /** The driver would make an SQLite file that all users may read; its logs get the rights of the file. */
    private static void makePrivate(String url) throws SQLException {
        var path = url.startsWith("jdbc:sqlite:") ? url.substring("jdbc:sqlite:".length()) : "";
        if (path.isEmpty() || path.startsWith(":") || path.startsWith("file:") || path.contains("?")) {
            return;
        }
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try {
            var unused = Files.createFile(Path.of(path), owner);
        } catch (FileAlreadyExistsException e) {
            return;
        } catch (IOException | UnsupportedOperationException e) {
            throw new SQLException("the file '%s' cannot be made: %s".formatted(path, e), e);
        }
    }
}
