package io.mcpbridge.audit.jdbc;

import io.mcpbridge.audit.record.ChainHead;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Checks the chain of a trail in a database: that no record was changed, left out, added or moved, and that the columns
 * say what the records say.
 *
 * <p>Whoever may write the table can make a whole new chain, or leave out the last records. Only a {@link ChainHead} that
 * was kept elsewhere shows that. Any thread may use it; it waits for the database.
 */
public final class JdbcTrailVerifier {
    private static final int ROWS_AT_ONCE = 1_000;

    private final DataSource source;
    private final TrailSettings settings;

    /** A verifier of one trail. */
    public JdbcTrailVerifier(DataSource source, TrailSettings settings) {
        this.source = source;
        this.settings = settings;
    }

    /** Reads the whole trail. */
    public JdbcTrailReport verify() throws SQLException {
        return verify(ChainHead.START);
    }

    /** The same; {@code kept} is where the trail once stood, and must be on the way. */
    public JdbcTrailReport verify(ChainHead kept) throws SQLException {
        try (var connection = source.getConnection()) {
            var before = connection.getAutoCommit();
            // PostgreSQL keeps the whole answer in memory otherwise.
            connection.setAutoCommit(false);
            try {
                return verify(connection, kept);
            } finally {
                connection.rollback();
                connection.setAutoCommit(before);
            }
        }
    }

    private JdbcTrailReport verify(Connection connection, ChainHead kept) throws SQLException {
        var dialect = Dialect.of(connection);
        var table = new TrailTable(settings.table(), dialect);
        try (var query = connection.prepareStatement(table.all());
                var earlier = connection.prepareStatement(table.earlier())) {
            var check = new TrailCheck(dialect, earlier, settings.trail(), kept);
            query.setFetchSize(ROWS_AT_ONCE);
            query.setString(1, settings.trail());
            try (var rows = query.executeQuery()) {
                var isGood = true;
                while (isGood && rows.next()) {
                    isGood = check.isGood(rows);
                }
            }
            return check.report();
        }
    }
}
