package io.mcpbridge.audit.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.spi.AuditSink.Durability;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A connection to the database that is the only writer of its trail while open. For one thread.
 *
 * <p>An operation that fails with an {@link SQLException} may or may not have had its effect.
 */
final class LockedTrail implements AutoCloseable {
    /** A database that does not respond for so long counts as unavailable. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private final Connection connection;
    private final SessionState before;
    private final SqlDialect dialect;
    private final TrailTable table;
    private final JdbcTrailSettings settings;
    private final Durability durability;
    private final SqlDialect.Claim claim;

    private LockedTrail(Connection connection, JdbcTrailSettings settings) throws SQLException {
        this.connection = connection;
        this.settings = settings;
        this.before = SessionState.of(connection);
        this.dialect = SqlDialect.of(connection);
        this.table = new TrailTable(settings.table(), dialect);
        try {
            before.setNetworkTimeout(connection, (int) SILENCE.toMillis());
            connection.setAutoCommit(true);
            connection.setReadOnly(false);
            dialect.prepare(connection);
            this.durability = dialect.durability(connection);
            table.create(connection);
            connection.setAutoCommit(false);
            this.claim = dialect.lock(connection, settings);
        } catch (SQLException | RuntimeException e) {
            giveBack();
            throw e;
        }
    }

    /** Connects, creates the table if it is missing, and locks the trail; blocks for the database. */
    static LockedTrail open(ConnectionSource source, JdbcTrailSettings settings) throws SQLException {
        var connection = source.connect();
        try {
            return new LockedTrail(connection, settings);
        } catch (SQLException | RuntimeException e) {
            closeQuietly(connection);
            throw e;
        }
    }

    Durability durability() {
        return durability;
    }

    /** The head of the trail in the table. */
    ChainHead head() throws SQLException {
        return query(
                table.head(),
                rows -> rows.next() ? new ChainHead(rows.getLong(1), rows.getString(2)) : ChainHead.START,
                settings.trail());
    }

    /** Whether the trail has this head, of its last record or of an earlier one. */
    boolean contains(ChainHead place) throws SQLException {
        return query(table.hash(), rows -> isNext(place, rows), settings.trail(), place.sequence());
    }

    private static boolean isNext(ChainHead place, ResultSet rows) throws SQLException {
        return rows.next() && place.hash().equals(rows.getString(1));
    }

    /** Runs a query in a transaction of its own and reads its result. */
    private <T> T query(String sql, Reader<T> reader, Object... parameters) throws SQLException {
        var result = queryInTransaction(sql, reader, parameters);
        connection.commit();
        return result;
    }

    private <T> T queryInTransaction(String sql, Reader<T> reader, Object... parameters) throws SQLException {
        try (var query = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                query.setObject(i + 1, parameters[i]);
            }
            try (var rows = query.executeQuery()) {
                return reader.read(rows);
            }
        }
    }

    private interface Reader<T> {
        T read(ResultSet rows) throws SQLException;
    }

    /** Writes lines in one transaction. */
    void append(List<ParsedRecord> lines) throws SQLException {
        var rows =
                lines.stream().map(line -> TrailRow.of(settings.trail(), line)).toList();
        try (var insert = connection.prepareStatement(table.insert())) {
            var refused = insert(insert, rows);
            if (!refused.isEmpty()) {
                var unused =
                        insert(insert, refused.stream().map(TrailRow::numbered).toList());
            }
            claim.requireIntact();
            connection.commit();
        } catch (SQLException failed) {
            rollback(failed);
            throw failed;
        }
    }

    /** Inserts rows and returns those whose id belongs to another record of the trail. */
    private List<TrailRow> insert(PreparedStatement insert, List<TrailRow> rows) throws SQLException {
        for (var row : rows) {
            row.set(insert, dialect);
            insert.addBatch();
        }
        var counts = insert.executeBatch();
        var refused = new ArrayList<TrailRow>();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] != 1 && !exists(rows.get(i))) {
                refused.add(rows.get(i));
            }
        }
        return refused;
    }

    /** Whether the table has the row, from this attempt or from a commit whose response was lost. */
    private boolean exists(TrailRow row) throws SQLException {
        var head = row.line().head();
        return queryInTransaction(table.hash(), rows -> isNext(head, rows), settings.trail(), head.sequence());
    }

    private void rollback(SQLException failed) {
        try {
            connection.rollback();
        } catch (SQLException broken) {
            failed.addSuppressed(broken);
        }
    }

    /** The last note of this kind. */
    Optional<ParsedRecord> lastNote(String kind) throws SQLException {
        return query(table.lastNote(), LockedTrail::lines, settings.trail(), kind).stream()
                .findFirst();
    }

    /** The first enters after a sequence that have no exit. */
    List<ParsedRecord> openEnters(long after, int max) throws SQLException {
        return query(table.openEnters(), LockedTrail::lines, settings.trail(), after, max);
    }

    private static List<ParsedRecord> lines(ResultSet rows) throws SQLException {
        var lines = new ArrayList<ParsedRecord>();
        while (rows.next()) {
            lines.add(ParsedRecord.parse(rows.getString(1).getBytes(UTF_8)));
        }
        return lines;
    }

    /** Aborts the connection. Any thread may call it. */
    void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            return;
        }
    }

    /** Closes the connection; a pool gets it back in its former state, without our lock. */
    @Override
    public void close() {
        giveBack();
        claim.close();
    }

    private void giveBack() {
        try {
            if (!connection.isClosed()) {
                if (!connection.getAutoCommit()) {
                    connection.rollback();
                }
                connection.setAutoCommit(true);
                dialect.leave(connection, settings);
                before.restore(connection);
            }
        } catch (SQLException | RuntimeException e) {
            // The session is over with the connection.
        }
        closeQuietly(connection);
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            // The connection is unusable anyway.
        }
    }

    /**
     * The former state of a connection, restored before a pool gets it back.
     *
     * @param networkTimeout in milliseconds; negative if the driver has none
     */
    private record SessionState(int networkTimeout, boolean isReadOnly) {
        private static final int NONE = -1;

        static SessionState of(Connection connection) throws SQLException {
            return new SessionState(networkTimeout(connection), connection.isReadOnly());
        }

        private static int networkTimeout(Connection connection) {
            try {
                return connection.getNetworkTimeout();
            } catch (SQLException | UnsupportedOperationException | AbstractMethodError e) {
                return NONE;
            }
        }

        void setNetworkTimeout(Connection connection, int millis) throws SQLException {
            if (networkTimeout != NONE) {
                connection.setNetworkTimeout(Runnable::run, millis);
            }
        }

        void restore(Connection connection) throws SQLException {
            if (connection.isReadOnly() != isReadOnly) {
                connection.setReadOnly(isReadOnly);
            }
            setNetworkTimeout(connection, networkTimeout);
        }
    }
}
