package io.mcpbridge.audit.jdbc;

import io.mcpbridge.audit.record.AuditLine;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One record as a row of {@link TrailTable}.
 *
 * <p>Every column is taken from the line, so that what was redacted there is redacted in the columns too.
 */
record TrailRow(String trail, AuditLine line, String id) {
    /** The columns that are texts, in their order; before them stand trail, sequence, time, duration and line. */
    static final List<String> TEXTS = List.of(
            "record_id",
            "type",
            "correlation_id",
            "method",
            "server",
            "tool",
            "principal",
            "client_id",
            "outcome",
            "hash");

    static TrailRow of(String trail, AuditLine line) {
        return new TrailRow(trail, line, idOf(line));
    }

    /** The same under an id that no other record has, for a record whose own one is taken. */
    TrailRow numbered() {
        return new TrailRow(trail, line, id + "#" + line.sequence());
    }

    void set(PreparedStatement insert, Dialect dialect) throws SQLException {
        insert.setString(1, trail);
        insert.setLong(2, line.sequence());
        dialect.setTime(insert, 3, line.time());
        insert.setObject(4, line.number("durationMs").orElse(null), Types.BIGINT);
        insert.setString(5, line.json());
        for (int i = 0; i < TEXTS.size(); i++) {
            insert.setString(6 + i, text(TEXTS.get(i)));
        }
    }

    /** What stands in a column; null where the record says nothing of it. */
    @Nullable
    String text(String column) {
        return switch (column) {
            case "record_id" -> id;
            case "type" -> type(line);
            case "correlation_id" -> member("correlationId");
            case "principal" -> principal();
            case "client_id" -> member("clientId");
            case "outcome" -> outcome();
            case "hash" -> line.head().hash();
            default -> member(column);
        };
    }

    /** The record's id; of one that is no fit text for a column, a digest in its place. */
    private static String idOf(AuditLine line) {
        var suffix = "-" + type(line);
        var id = line.id();
        return id.endsWith(suffix)
                ? ColumnText.key(id.substring(0, id.length() - suffix.length())) + suffix
                : ColumnText.key(id);
    }

    private static String type(AuditLine line) {
        return line.type().name().toLowerCase(Locale.ROOT);
    }

    /** How a call ended; of a note its kind. */
    private @Nullable String outcome() {
        return switch (line.type()) {
            case ENTER -> null;
            case EXIT -> member("outcome");
            case DENIED -> "denied";
            case NOTE -> member("kind");
        };
    }

    private @Nullable String principal() {
        return line.data().get("principal") instanceof Map<?, ?> principal
                        && principal.get("name") instanceof String name
                ? ColumnText.shown(name)
                : null;
    }

    private @Nullable String member(String key) {
        return line.text(key).map(ColumnText::shown).orElse(null);
    }
}
