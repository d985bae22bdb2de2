package io.mcpbridge.audit.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.internal.FileIdentity;
import io.mcpbridge.audit.record.AuditChain;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.files.OwnUser;
import io.mcpbridge.files.ProcessLock;
import io.mcpbridge.spi.AuditSink.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The SQL that differs between PostgreSQL and SQLite. Stateless. */
sealed interface SqlDialect permits SqlDialect.PostgresDialect, SqlDialect.SqliteDialect {

    /** The dialect of the connected database. */
    static SqlDialect of(Connection connection) throws SQLException {
        var product = connection.getMetaData().getDatabaseProductName();
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> new PostgresDialect();
            case "sqlite" -> new SqliteDialect();
            default ->
                throw ConfigurationException.of(
                        "'url' leads to the database '%s' but must lead to PostgreSQL or SQLite".formatted(product));
        };
    }

    /** Runs a short statement. */
    static void run(Connection connection, String statement) throws SQLException {
        try (var prepared = connection.createStatement()) {
            prepared.execute(statement);
        }
    }

    /** The first column of the first row; empty if there is none. */
    static String text(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            var text = rows.next() ? rows.getString(1) : null;
            return text == null ? "" : text;
        }
    }

    /** The lock that makes one writer the only writer of a trail. */
    interface Claim extends AutoCloseable {
        /**
         * Checks that readers find the records that are written on the connection.
         *
         * @throws SQLException if they do not
         */
        default void requireIntact() throws SQLException {}

        @Override
        void close();
    }

    /** Configures a connection so that a commit returns when its records survive a loss of power. */
    void prepare(Connection connection) throws SQLException;

    /** The durability of a committed record. */
    Durability durability(Connection connection) throws SQLException;

    /**
     * Makes this connection the only writer of the trail until the claim is closed.
     *
     * @return the claim; close it after the connection
     * @throws TrailTakenException if another writer has the claim
     */
    Claim lock(Connection connection, JdbcTrailSettings trail) throws SQLException;

    /** Restores the session of a connection, since a pool may keep it; no transaction is open. */
    default void leave(Connection connection, JdbcTrailSettings trail) throws SQLException {}

    /** The type of a column that holds a time. */
    String timeType();

    void setTime(PreparedStatement statement, int index, Instant time) throws SQLException;

    Instant time(ResultSet rows, String column) throws SQLException;

    /** Begins a transaction in which no other connection can create the table. */
    default void beginMaking(Connection connection, String table) throws SQLException {}

    /** A query whose result is empty if the table is missing. */
    String existence(String table);

    /** The statement that creates an index on columns of the table if it is missing. */
    String index(String table, String name, String columns);

    /** PostgreSQL: a commit waits for the write-ahead log, and an advisory lock keeps other writers out. */
    record PostgresDialect() implements SqlDialect {
        private static final Set<String> WEAKER = Set.of("off", "local", "remote_write");

        @Override
        public void prepare(Connection connection) throws SQLException {
            // The value remote_apply is stronger than needed and is kept.
            if (WEAKER.contains(SqlDialect.text(connection, "SHOW synchronous_commit"))) {
                SqlDialect.run(connection, "SET synchronous_commit = on");
            }
            var encoding = SqlDialect.text(connection, "SHOW server_encoding");
            if (!encoding.equals("UTF8")) {
                throw ConfigurationException.of(
                        "the audit database has the encoding '%s' but must have 'UTF8', since a trail is kept to the byte"
                                .formatted(encoding));
            }
        }

        @Override
        public Durability durability(Connection connection) throws SQLException {
            return SqlDialect.text(connection, "SHOW fsync").equals("on") ? Durability.DEVICE : Durability.PROCESS;
        }

        @Override
        public Claim lock(Connection connection, JdbcTrailSettings trail) throws SQLException {
            var key = key(trail.table() + " " + trail.trail());
            if (!SqlDialect.text(connection, "SELECT pg_try_advisory_lock(" + key + ")")
                    .equals("t")) {
                throw new TrailTakenException(trail.trail(), "another connection to the database");
            }
            return () -> {};
        }

        /**
         * The server releases the lock at the end of the session, which in a pool is later than that of the connection.
         */
        @Override
        public void leave(Connection connection, JdbcTrailSettings trail) throws SQLException {
            SqlDialect.run(connection, "SELECT pg_advisory_unlock(" + key(trail.table() + " " + trail.trail()) + ")");
            SqlDialect.run(connection, "RESET synchronous_commit");
        }

        private static long key(String name) {
            var whole = "mcp-bridge audit " + name;
            return ByteBuffer.wrap(AuditChain.sha256().digest(whole.getBytes(UTF_8)))
                    .getLong();
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

        /** Takes a lock, since {@code IF NOT EXISTS} fails when two connections create a table at once. */
        @Override
        public void beginMaking(Connection connection, String table) throws SQLException {
            SqlDialect.run(connection, "SELECT pg_advisory_xact_lock(" + key(table) + ")");
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

    /** SQLite: a write-ahead log that each commit syncs, and a lock file that keeps other writers out. */
    record SqliteDialect() implements SqlDialect {
        private static final int BUSY_MILLIS = 5_000;
        private static final long BUSY_PAUSE_NANOS = 10_000_000;

        /** The error code {@code SQLITE_BUSY}. */
        private static final int BUSY = 5;

        private static final DateTimeFormatter SORTABLE =
                DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

        @Override
        public void prepare(Connection connection) throws SQLException {
            SqlDialect.run(connection, "PRAGMA busy_timeout = " + BUSY_MILLIS);
            switchToWal(connection);
            SqlDialect.run(connection, "PRAGMA synchronous = FULL");
        }

        /**
         * Repeats the switch while it is busy: when several connections switch a new file at once, SQLite fails all but
         * one of them without the busy timeout.
         */
        private static void switchToWal(Connection connection) throws SQLException {
            long start = System.nanoTime();
            while (true) {
                try {
                    var unused = SqlDialect.text(connection, "PRAGMA journal_mode = WAL");
                    return;
                } catch (SQLException e) {
                    boolean isOver = System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(BUSY_MILLIS);
                    if (e.getErrorCode() != BUSY || isOver) {
                        throw e;
                    }
                    LockSupport.parkNanos(BUSY_PAUSE_NANOS);
                }
            }
        }

        /** A database in memory has no file. */
        @Override
        public Durability durability(Connection connection) throws SQLException {
            return file(connection).isEmpty() ? Durability.NONE : Durability.DEVICE;
        }

        @Override
        public Claim lock(Connection connection, JdbcTrailSettings trail) throws SQLException {
            var database = file(connection);
            if (database.isEmpty()) {
                return () -> {};
            }
            var path = Path.of(database + "." + trail.table() + "." + trail.trail() + ".lock");
            try {
                var lock = ProcessLock.take(
                        path,
                        "the lock of the audit trail",
                        OwnUser.ofThisProcess(),
                        process -> new TrailTakenException(
                                trail.trail(), "process %s, which has locked '%s'".formatted(process, path)));
                return new SqliteClaim(lock, path, FileIdentity.of(Path.of(database)));
            } catch (IOException e) {
                throw new SQLException("the lock file '%s' cannot be used: %s".formatted(path, e), e);
            }
        }

        /**
         * A lock file, and the identity of the database file: no reader finds records in a file that was removed while
         * open.
         */
        private record SqliteClaim(ProcessLock lock, Path lockFile, FileIdentity database) implements Claim {
            private static final String LOST = "08006";

            @Override
            public void requireIntact() throws SQLException {
                if (!lock.isIntact()) {
                    throw lost(lockFile);
                }
                if (database.fault().isPresent()) {
                    throw lost(database.file());
                }
            }

            private static SQLException lost(Path file) {
                return new SQLException("'%s' was moved, removed or replaced".formatted(file), LOST);
            }

            @Override
            public void close() {
                lock.close();
            }
        }

        private static String file(Connection connection) throws SQLException {
            return SqlDialect.text(
                    connection, "SELECT coalesce(file, '') FROM pragma_database_list WHERE name = 'main'");
        }

        @Override
        public String timeType() {
            return "text";
        }

        @Override
        public void setTime(PreparedStatement statement, int index, Instant time) throws SQLException {
            statement.setString(index, SORTABLE.format(time));
        }

        @Override
        public String existence(String table) {
            var point = table.indexOf('.') + 1;
            return "SELECT name FROM %ssqlite_master WHERE type = 'table' AND name = '%s'"
                    .formatted(table.substring(0, point), table.substring(point));
        }

        /** Parses the time; a text that is not a time becomes one that no record has. */
        @Override
        public Instant time(ResultSet rows, String column) throws SQLException {
            try {
                return Instant.parse(String.valueOf(rows.getString(column)));
            } catch (DateTimeParseException e) {
                return Instant.MIN;
            }
        }

        /** The schema comes before the name of the index, not before that of the table. */
        @Override
        public String index(String table, String name, String columns) {
            var plain = table.substring(table.indexOf('.') + 1);
            return "CREATE INDEX IF NOT EXISTS %s_%s ON %s (%s)".formatted(table, name, plain, columns);
        }
    }

    /** Thrown if another writer has the trail. */
    final class TrailTakenException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TrailTakenException(String trail, String by) {
            super("the audit trail '%s' is written by %s; stop that or choose another 'trail'".formatted(trail, by));
        }
    }
}
