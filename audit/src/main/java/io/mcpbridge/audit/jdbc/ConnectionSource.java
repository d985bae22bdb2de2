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
     * Connects to the URL of the settings; the driver on the class path makes a new connection each time.
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

    /** The properties of connections; the parameters of the URL have precedence. */
    static Properties properties(JdbcAuditSettings settings) {
        var properties = new Properties();
        if (settings.url().reveal().startsWith("jdbc:postgresql:")) {
            // A server that does not respond during the login must not block the writer.
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

    /**
     * Creates the SQLite file with mode 0600: the driver creates one that all users may read. Its logs inherit the
     * mode.
     */
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
