package io.mcpbridge.audit.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.failure.ProtocolException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The check of one trail, row by row in the order of the chain. For one thread. */
final class TrailCheck {
    private final Dialect dialect;
    private final PreparedStatement earlier;
    private final String trail;
    private final ChainHead kept;
    private ChainHead head = ChainHead.START;
    private long records;
    private @Nullable String fault;

    /**
     * At the beginning.
     *
     * @param earlier is {@link TrailTable#earlier}
     * @param kept must be on the way
     */
    TrailCheck(Dialect dialect, PreparedStatement earlier, String trail, ChainHead kept) {
        this.dialect = dialect;
        this.earlier = earlier;
        this.trail = trail;
        this.kept = kept;
    }

    /** Reads the next row; false where something is wrong with it. */
    boolean isGood(ResultSet rows) throws SQLException {
        var wrong = wrong(rows);
        if (wrong.isPresent()) {
            fault = "record %d: %s".formatted(rows.getLong("sequence"), wrong.get());
            return false;
        }
        records++;
        return true;
    }

    private Optional<String> wrong(ResultSet rows) throws SQLException {
        AuditLine line;
        try {
            line = AuditLine.parse(String.valueOf(rows.getString("line")).getBytes(UTF_8));
        } catch (ProtocolException malformed) {
            return Optional.of(malformed.failure().message());
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
        var isNumbered = row.numbered().id().equals(rows.getString("record_id")) && isTaken(row);
        return column(rows, isNumbered ? row.numbered() : row);
    }

    /** Whether a record before it has its id, which is why its own one has a number. */
    private boolean isTaken(TrailRow row) throws SQLException {
        earlier.setString(1, trail);
        earlier.setString(2, row.id());
        earlier.setLong(3, row.line().sequence());
        try (var rows = earlier.executeQuery()) {
            return rows.next();
        }
    }

    private Optional<String> column(ResultSet rows, TrailRow row) throws SQLException {
        if (rows.getLong("sequence") != row.line().sequence()) {
            return differs(
                    "sequence",
                    rows.getString("sequence"),
                    Long.toString(row.line().sequence()));
        }
        if (!dialect.time(rows, "time").equals(row.line().time())) {
            return differs("time", rows.getString("time"), row.line().time().toString());
        }
        for (var column : TrailRow.TEXTS) {
            var written = rows.getString(column);
            if (!Objects.equals(written, row.text(column))) {
                return differs(column, written, row.text(column));
            }
        }
        var duration = row.line().number("durationMs").map(String::valueOf).orElse(null);
        var written = rows.getString("duration_ms");
        return Objects.equals(written, duration) ? Optional.empty() : differs("duration_ms", written, duration);
    }

    private static Optional<String> differs(String column, @Nullable String written, @Nullable String told) {
        return Optional.of("its column '%s' is '%s', but the record says '%s'".formatted(column, written, told));
    }

    /** What was found, after the last row. */
    JdbcTrailReport report() {
        if (fault == null && head.sequence() < kept.sequence()) {
            fault = "record %d: it is missing, and so is all behind %d".formatted(head.sequence() + 1, head.sequence());
        }
        return new JdbcTrailReport(records, head, Optional.ofNullable(fault));
    }
}
