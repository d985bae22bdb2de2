package io.mcpbridge.audit.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.AuditSink.Durability;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Set;

/** PostgreSQL: a commit waits for the write-ahead log, and an advisory lock keeps other writers out. */
record PostgresDialect() implements Dialect {
    private static final Set<String> WEAKER = Set.of("off", "local", "remote_write");

    @Override
    public void prepare(Connection connection) throws SQLException {
        // Where it is remote_apply it waits for more than we ask.
        if (WEAKER.contains(Sql.text(connection, "SHOW synchronous_commit"))) {
            Sql.run(connection, "SET synchronous_commit = on");
        }
        var encoding = Sql.text(connection, "SHOW server_encoding");
        if (!encoding.equals("UTF8")) {
            throw ConfigurationException.of(
                    "the audit database has the encoding '%s' but must have 'UTF8', since a trail is kept to the byte"
                            .formatted(encoding));
        }
    }

    @Override
    public Durability durability(Connection connection) throws SQLException {
        return Sql.text(connection, "SHOW fsync").equals("on") ? Durability.DEVICE : Durability.PROCESS;
    }

    @Override
    public Claim lock(Connection connection, TrailSettings trail) throws SQLException, TrailTakenException {
        var key = key(trail.table() + " " + trail.trail());
        if (!Sql.text(connection, "SELECT pg_try_advisory_lock(" + key + ")").equals("t")) {
            throw new TrailTakenException(trail.trail(), "another connection to the database");
        }
        return () -> {};
    }

    /** The server gives the lock free with the session, which ends later than the connection if it belongs to a pool. */
    @Override
    public void leave(Connection connection, TrailSettings trail) throws SQLException {
        Sql.run(connection, "SELECT pg_advisory_unlock(" + key(trail.table() + " " + trail.trail()) + ")");
        Sql.run(connection, "RESET synchronous_commit");
    }

    private static long key(String name) {
        var whole = "mcp-bridge audit " + name;
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(whole.getBytes(UTF_8)))
                    .getLong();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    @Override
    public String timeType() {
        return "timestamptz";
    }

    @Override
    public void setTime(PreparedStatement statement, int index, Instant time) throws SQLException {
        statement.setObject(index, time.atOffset(ZoneOffset.UTC));
    }

    @Override
    public Instant time(ResultSet rows, String column) throws SQLException {
        return rows.getObject(column, OffsetDateTime.class).toInstant();
    }

    /** {@code IF NOT EXISTS} alone fails where two make a table at once. */
    @Override
    public void beginMaking(Connection connection, String table) throws SQLException {
        Sql.run(connection, "SELECT pg_advisory_xact_lock(" + key(table) + ")");
    }

    @Override
    public String existence(String table) {
        return "SELECT to_regclass('" + table + "')";
    }

    @Override
    public String index(String table, String name, String columns) {
        var plain = table.substring(table.indexOf('.') + 1);
        return "CREATE INDEX IF NOT EXISTS %s_%s ON %s (%s)".formatted(plain, name, table, columns);
    }
}
