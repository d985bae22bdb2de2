package io.mcpbridge.audit.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.internal.UsedKey;
import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.spi.AuditSink.Durability;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One connection to the database, the only writer of its trail while it is open. For one thread.
 *
 * <p>Whatever fails on it with an {@link SQLException} may or may not have happened.
 */
final class TrailConnection implements AutoCloseable {
    /** A database that is silent for so long has gone. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private final LentConnection lent;
    private final Connection connection;
    private final Dialect.Claim claim;
    private final Dialect dialect;
    private final TrailTable table;
    private final String trail;
    private final Durability durability;

    private TrailConnection(LentConnection lent) throws SQLException, TrailTakenException {
        this.lent = lent;
        this.connection = lent.connection();
        this.dialect = Dialect.of(connection);
        this.table = new TrailTable(lent.settings().table(), dialect);
        this.trail = lent.settings().trail();
        lent.limitSilence(SILENCE);
        connection.setAutoCommit(true);
        connection.setReadOnly(false);
        dialect.prepare(connection);
        this.durability = dialect.durability(connection);
        table.create(connection);
        connection.setAutoCommit(false);
        this.claim = dialect.lock(connection, lent.settings());
    }

    /** Connects, makes the table where it is missing, and takes the trail for itself; waits for the database. */
    static TrailConnection open(Connector connector, TrailSettings settings) throws SQLException, TrailTakenException {
        var lent = LentConnection.of(connector.connect(), settings);
        try {
            return new TrailConnection(lent);
        } catch (SQLException | TrailTakenException | RuntimeException failed) {
            lent.giveBack();
            throw failed;
        }
    }

    Durability durability() {
        return durability;
    }

    /** Where the trail stands in the database. */
    ChainHead head() throws SQLException {
        try (var query = connection.prepareStatement(table.head())) {
            query.setString(1, trail);
            try (var rows = query.executeQuery()) {
                var head = rows.next() ? new ChainHead(rows.getLong(1), rows.getString(2)) : ChainHead.START;
                connection.commit();
                return head;
            }
        }
    }

    /** Whether the trail goes through a place, be it the last one or not. */
    boolean holds(ChainHead place) throws SQLException {
        try (var query = connection.prepareStatement(table.hash())) {
            query.setString(1, trail);
            query.setLong(2, place.sequence());
            try (var rows = query.executeQuery()) {
                var holds = rows.next() && place.hash().equals(rows.getString(1));
                connection.commit();
                return holds;
            }
        }
    }

    /** Writes lines in one transaction, of which all or none are there in the end. */
    void append(List<AuditLine> lines) throws SQLException {
        var rows = lines.stream().map(line -> TrailRow.of(trail, line)).toList();
        try (var insert = connection.prepareStatement(table.insert())) {
            var refused = insert(insert, rows);
            if (!refused.isEmpty()) {
                var unused =
                        insert(insert, refused.stream().map(TrailRow::numbered).toList());
            }
            claim.require();
            connection.commit();
        } catch (SQLException failed) {
            rollback(failed);
            throw failed;
        }
    }

    /** Inserts rows and returns those whose id another record of the trail has. */
    private List<TrailRow> insert(PreparedStatement insert, List<TrailRow> rows) throws SQLException {
        for (var row : rows) {
            row.set(insert, dialect);
            insert.addBatch();
        }
        var counts = insert.executeBatch();
        var refused = new ArrayList<TrailRow>();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] != 1 && !isThere(rows.get(i))) {
                refused.add(rows.get(i));
            }
        }
        return refused;
    }

    /** Whether the row stands in the table just so, be it from now or from a commit that nobody heard of. */
    private boolean isThere(TrailRow row) throws SQLException {
        try (var query = connection.prepareStatement(table.record())) {
            query.setString(1, trail);
            query.setString(2, row.id());
            query.setLong(3, row.line().sequence());
            try (var rows = query.executeQuery()) {
                return rows.next() && row.line().head().hash().equals(rows.getString(1));
            }
        }
    }

    private void rollback(SQLException failed) {
        try {
            connection.rollback();
        } catch (SQLException broken) {
            failed.addSuppressed(broken);
        }
    }

    /** The last note of this kind. */
    Optional<AuditLine> lastNote(String kind) throws SQLException {
        try (var query = connection.prepareStatement(table.lastNote())) {
            query.setString(1, trail);
            query.setString(2, kind);
            var last = lines(query).stream().findFirst();
            connection.commit();
            return last;
        }
    }

    /** The key with which the trail hashes what it does not show. */
    UsedKey usedKey() throws SQLException {
        try (var query = connection.prepareStatement(table.lastHashed())) {
            query.setString(1, trail);
            query.setString(2, UsedKey.CHANGED);
            try (var rows = query.executeQuery()) {
                var line = rows.next() ? rows.getString(1) : "";
                connection.commit();
                return UsedKey.shownBy(line.getBytes(UTF_8)).orElse(UsedKey.NONE);
            }
        }
    }

    /** Enters behind a sequence that have no exit, the first ones. */
    List<AuditLine> openEnters(long after, int max) throws SQLException {
        try (var query = connection.prepareStatement(table.openEnters())) {
            query.setString(1, trail);
            query.setLong(2, after);
            query.setInt(3, max);
            var lines = lines(query);
            connection.commit();
            return lines;
        }
    }

    private static List<AuditLine> lines(PreparedStatement query) throws SQLException {
        var lines = new ArrayList<AuditLine>();
        try (var rows = query.executeQuery()) {
            while (rows.next()) {
                lines.add(AuditLine.parse(rows.getString(1).getBytes(UTF_8)));
            }
        }
        return lines;
    }

    /** Breaks whatever the connection is doing; from any thread. */
    void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException gone) {
            return;
        }
    }

    @Override
    public void close() {
        lent.giveBack();
        claim.close();
    }
}
