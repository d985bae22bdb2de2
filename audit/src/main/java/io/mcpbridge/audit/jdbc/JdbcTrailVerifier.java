package io.mcpbridge.audit.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.failure.ProtocolException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the chain of a trail in a database: that no record was changed, removed, added or moved, and that the
 * columns match the records.
 *
 * <p>A user with write access to the table can make a new chain, or remove the last records. Only a {@link ChainHead}
 * that was kept elsewhere proves that. Any thread may use a verifier; it blocks for the database.
 */
public final class JdbcTrailVerifier {
    private static final int ROWS_AT_ONCE = 1_000;

    private final DataSource source;
    private final JdbcTrailSettings settings;

    /** Makes a verifier of one trail. */
    public JdbcTrailVerifier(DataSource source, JdbcTrailSettings settings) {
        this.source = source;
        this.settings = settings;
    }

    /** Verifies the whole trail. */
    public Report verify() throws SQLException {
        return verify(ChainHead.START);
    }

    /** Verifies the whole trail, which must contain the head {@code kept}. */
    public Report verify(ChainHead kept) throws SQLException {
        try (var connection = source.getConnection()) {
            boolean before = connection.getAutoCommit();
            // Without a transaction and a fetch size, PostgreSQL reads the whole result into memory.
            connection.setAutoCommit(false);
            try {
                return verify(connection, kept);
            } finally {
                connection.rollback();
                connection.setAutoCommit(before);
            }
        }
    }

    private Report verify(Connection connection, ChainHead kept) throws SQLException {
        var dialect = SqlDialect.of(connection);
        var table = new TrailTable(settings.table(), dialect);
        try (var query = connection.prepareStatement(table.all());
                var earlier = connection.prepareStatement(table.earlier())) {
            var check = new Check(dialect, earlier, settings.trail(), kept);
            query.setFetchSize(ROWS_AT_ONCE);
            query.setString(1, settings.trail());
            try (var rows = query.executeQuery()) {
                while (check.fault == null && rows.next()) {
                    check.read(rows);
                }
            }
            return check.report();
        }
    }

    /** Checks the rows of one trail in the order of the chain. */
    private static final class Check {
        private final SqlDialect dialect;
        private final PreparedStatement earlier;
        private final String trail;
        private final ChainHead kept;
        private ChainHead head = ChainHead.START;
        private long records;
        private @Nullable String fault;

        private Check(SqlDialect dialect, PreparedStatement earlier, String trail, ChainHead kept) {
            this.dialect = dialect;
            this.earlier = earlier;
            this.trail = trail;
            this.kept = kept;
        }

        private void read(ResultSet rows) throws SQLException {
            var wrong = wrong(rows);
            if (wrong.isPresent()) {
                fault = "record %d: %s".formatted(rows.getLong("sequence"), wrong.get());
            } else {
                records++;
            }
        }

        private Optional<String> wrong(ResultSet rows) throws SQLException {
            ParsedRecord line;
            try {
                line = ParsedRecord.parse(String.valueOf(rows.getString("line")).getBytes(UTF_8));
            } catch (ProtocolException e) {
                return Optional.of(e.failure().message());
            }
            var place = line.faultAfter(head);
            if (place.isPresent()) {
                return place;
            }
            head = line.head();
            if (head.sequence() == kept.sequence() && !head.equals(kept)) {
                return Optional.of("its hash is %s but was %s".formatted(head.hash(), kept.hash()));
            }
            var row = TrailRow.of(trail, line);
            boolean isNumbered = row.numbered().id().equals(rows.getString("record_id")) && isTaken(row);
            return wrongColumn(rows, isNumbered ? row.numbered() : row);
        }

        /** Whether an earlier record has the same id, so that the id of this one ends with a number. */
        private boolean isTaken(TrailRow row) throws SQLException {
            earlier.setString(1, trail);
            earlier.setString(2, row.id());
            earlier.setLong(3, row.line().sequence());
            try (var rows = earlier.executeQuery()) {
                return rows.next();
            }
        }

        private Optional<String> wrongColumn(ResultSet rows, TrailRow row) throws SQLException {
            if (!dialect.time(rows, "time").equals(row.line().time())) {
                return differs("time", rows.getString("time"), row.line().time().toString());
            }
            for (var column : TrailRow.COMPARED) {
                var written = rows.getString(column);
                if (!Objects.equals(written, row.text(column))) {
                    return differs(column, written, row.text(column));
                }
            }
            return Optional.empty();
        }

        private static Optional<String> differs(String column, @Nullable String written, @Nullable String expected) {
            return Optional.of(
                    "its column '%s' is '%s', but the record says '%s'".formatted(column, written, expected));
        }

        private Report report() {
            if (fault == null && head.sequence() < kept.sequence()) {
                fault = "record %d: it is missing, and so are all after %d"
                        .formatted(head.sequence() + 1, head.sequence());
            }
            return new Report(records, head, Optional.ofNullable(fault));
        }
    }

    /**
     * The result of a verification of a trail in a database.
     *
     * @param records the number of intact records before the first fault
     * @param head the head of the chain after them; keep it elsewhere to check later whether they still exist
     * @param fault the first fault, with its sequence; empty if there is none
     */
    public record Report(long records, ChainHead head, Optional<String> fault) {

        /** Whether every record is intact and in its place. */
        public boolean holds() {
            return fault.isEmpty();
        }
    }
}
