package io.mcpbridge.audit.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The SQL statements for the table of trails.
 *
 * <p>The column {@code line} has the exact bytes of the record; the other columns repeat parts of it for queries.
 *
 * @param name the name of the table, with its schema unless that is the default one
 */
record TrailTable(String name, SqlDialect dialect) {
    private static final String COLUMNS =
            "trail, sequence, time, duration_ms, line, " + String.join(", ", TrailRow.TEXTS);

    /**
     * Creates the table and its indexes in one transaction if they are missing. A user without the permission to create
     * them needs an existing table.
     */
    void create(Connection connection) throws SQLException {
        if (!SqlDialect.text(connection, dialect.existence(name)).isEmpty()) {
            return;
        }
        connection.setAutoCommit(false);
        dialect.beginMaking(connection, name);
        SqlDialect.run(connection, definition());
        for (var index : indexes()) {
            SqlDialect.run(connection, index);
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    String definition() {
        return """
            CREATE TABLE IF NOT EXISTS %s (
                trail text NOT NULL,
                sequence bigint NOT NULL,
                record_id text NOT NULL,
                type text NOT NULL,
                time %s NOT NULL,
                correlation_id text,
                method text,
                server text,
                tool text,
                principal text,
                client_id text,
                outcome text,
                duration_ms bigint,
                hash text NOT NULL,
                line text NOT NULL,
                PRIMARY KEY (trail, sequence),
                UNIQUE (trail, record_id))\
            """.formatted(name, dialect.timeType());
    }

    private List<String> indexes() {
        return List.of(
                dialect.index(name, "time", "time"),
                dialect.index(name, "tool", "server, tool, time"),
                dialect.index(name, "principal", "principal, time"),
                dialect.index(name, "note", "trail, outcome, sequence") + " WHERE type = 'note'");
    }

    /** Inserts a record and ignores one that exists already, so that a record may be sent twice. */
    String insert() {
        var others = COLUMNS.split(",", -1).length - 1;
        return "INSERT INTO %s (%s) VALUES (?%s) ON CONFLICT (trail, record_id) DO NOTHING"
                .formatted(name, COLUMNS, ", ?".repeat(others));
    }

    /** {@code trail} → sequence and hash of the last record. */
    String head() {
        return "SELECT sequence, hash FROM %s WHERE trail = ? ORDER BY sequence DESC LIMIT 1".formatted(name);
    }

    /** {@code trail, record_id, sequence} → a row if a record before that one has the id. */
    String earlier() {
        return "SELECT 1 FROM %s WHERE trail = ? AND record_id = ? AND sequence < ?".formatted(name);
    }

    /** {@code trail, sequence} → the hash of that record. */
    String hash() {
        return "SELECT hash FROM %s WHERE trail = ? AND sequence = ?".formatted(name);
    }

    /** {@code trail, kind} → the line of the last note of that kind. */
    String lastNote() {
        return "SELECT line FROM %s WHERE trail = ? AND type = 'note' AND outcome = ? ORDER BY sequence DESC LIMIT 1"
                .formatted(name);
    }

    /**
     * {@code trail, sequence, limit} → lines of enters after the sequence that have no exit.
     *
     * <p>The id of an enter ends with a number if the plain id was taken. Any later exit of the call ends it, since its
     * own exit has another number, or none.
     */
    String openEnters() {
        return """
            SELECT line FROM %1$s enter_ WHERE trail = ? AND sequence > ? AND type = 'enter' AND (
                record_id LIKE '%%-enter' AND NOT EXISTS (
                    SELECT 1 FROM %1$s exit_ WHERE exit_.trail = enter_.trail AND exit_.type = 'exit'
                    AND exit_.record_id = substr(enter_.record_id, 1, length(enter_.record_id) - 6) || '-exit')
                OR record_id NOT LIKE '%%-enter' AND NOT EXISTS (
                    SELECT 1 FROM %1$s exit_ WHERE exit_.trail = enter_.trail AND exit_.type = 'exit'
                    AND exit_.sequence > enter_.sequence AND exit_.correlation_id = enter_.correlation_id))
            ORDER BY sequence LIMIT ?\
            """.formatted(name);
    }

    /** {@code trail} → every column, in the order of the chain. */
    String all() {
        return "SELECT %s FROM %s WHERE trail = ? ORDER BY sequence".formatted(COLUMNS, name);
    }
}
