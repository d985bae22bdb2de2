package io.mcpbridge.audit.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Short statements. */
final class Sql {
    private Sql() {}

    static void run(Connection connection, String statement) throws SQLException {
        try (var prepared = connection.createStatement()) {
            prepared.execute(statement);
        }
    }

    /** The first column of the first row, or the empty string where there is none. */
    static String text(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            var text = rows.next() ? rows.getString(1) : null;
            return text == null ? "" : text;
        }
    }
}
