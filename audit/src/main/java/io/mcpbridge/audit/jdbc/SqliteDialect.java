package io.mcpbridge.audit.jdbc;

import io.mcpbridge.files.OwnUser;
import io.mcpbridge.files.ProcessLock;
import io.mcpbridge.spi.AuditSink.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Objects;

/** SQLite: a write-ahead log that each commit brings to the disk, and a lock file that keeps other writers out. */
record SqliteDialect() implements Dialect {
    private static final int BUSY_MILLIS = 5_000;
    private static final DateTimeFormatter SORTABLE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    @Override
    public void prepare(Connection connection) throws SQLException {
        Sql.run(connection, "PRAGMA busy_timeout = " + BUSY_MILLIS);
        var unused = Sql.text(connection, "PRAGMA journal_mode = WAL");
        Sql.run(connection, "PRAGMA synchronous = FULL");
    }

    /** A database in memory has no file and cannot have the log. */
    @Override
    public Durability durability(Connection connection) throws SQLException {
        return file(connection).isEmpty() ? Durability.NONE : Durability.DEVICE;
    }

    @Override
    public Claim lock(Connection connection, TrailSettings trail) throws SQLException, TrailTakenException {
        var database = file(connection);
        if (database.isEmpty()) {
            return () -> {};
        }
        var path = Path.of(database + "." + trail.table() + "." + trail.trail() + ".lock");
        try {
            var lock = ProcessLock.take(path, "the lock of the audit trail", OwnUser.ofThisProcess(), Taken::new);
            return new SqliteClaim(lock, path, Path.of(database), keyOf(Path.of(database)));
        } catch (Taken taken) {
            throw new TrailTakenException(
                    trail.trail(), "process %s, which has locked '%s'".formatted(taken.getMessage(), path));
        } catch (IOException unusable) {
            throw new SQLException("the lock file '%s' cannot be used: %s".formatted(path, unusable), unusable);
        }
    }

    private static Object keyOf(Path file) throws IOException {
        var attributes = Files.readAttributes(file, BasicFileAttributes.class);
        return Objects.requireNonNull(attributes.fileKey(), "the file system tells files apart");
    }

    /** A file may be taken away while it is open, and what is written then is found by nobody. */
    private record SqliteClaim(ProcessLock lock, Path lockFile, Path database, Object identity) implements Claim {
        private static final String LOST = "08006";

        @Override
        public void require() throws SQLException {
            if (!lock.isIntact()) {
                throw lost(lockFile);
            }
            try {
                if (!identity.equals(keyOf(database))) {
                    throw lost(database);
                }
            } catch (IOException gone) {
                throw lost(database);
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

    /** A process has the lock, whose id is the message. */
    private static final class Taken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Taken(String process) {
            super(process);
        }
    }

    @Override
    public void leave(Connection connection, TrailSettings trail) {}

    /** One makes it at a time in any case. */
    @Override
    public void beginMaking(Connection connection, String table) {}

    private static String file(Connection connection) throws SQLException {
        return Sql.text(connection, "SELECT coalesce(file, '') FROM pragma_database_list WHERE name = 'main'");
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

    /** Whatever is no time is read as one that no record has. */
    @Override
    public Instant time(ResultSet rows, String column) throws SQLException {
        try {
            return Instant.parse(String.valueOf(rows.getString(column)));
        } catch (DateTimeParseException changed) {
            return Instant.MIN;
        }
    }

    /** The schema stands before the name of the index, not before the table's. */
    @Override
    public String index(String table, String name, String columns) {
        var plain = table.substring(table.indexOf('.') + 1);
        return "CREATE INDEX IF NOT EXISTS %s_%s ON %s (%s)".formatted(table, name, plain, columns);
    }
}
