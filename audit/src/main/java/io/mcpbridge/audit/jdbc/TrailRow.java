package io.mcpbridge.audit.jdbc;

import static java.nio.charset.StandardCharsets.UTF_16BE;

import io.mcpbridge.audit.record.AuditChain;
import io.mcpbridge.audit.record.ParsedRecord;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One record as a row of {@link TrailTable}.
 *
 * <p>Every column comes from the line, so that values redacted there are redacted in the columns too.
 */
record TrailRow(String trail, ParsedRecord line, String id) {
    /** The text columns in their order, after trail, sequence, time, duration and line. */
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

    /** The columns that are compared as texts. */
    static final List<String> COMPARED =
            Stream.concat(Stream.of("sequence", "duration_ms"), TEXTS.stream()).toList();

    private static final int MAX_LENGTH = 255;
    private static final int REPLACEMENT = 0xFFFD;

    static TrailRow of(String trail, ParsedRecord line) {
        return new TrailRow(trail, line, idOf(line));
    }

    /** The same row with a unique id, for a record whose own id is taken. */
    TrailRow numbered() {
        return new TrailRow(trail, line, id + "#" + line.sequence());
    }

    void set(PreparedStatement insert, SqlDialect dialect) throws SQLException {
        insert.setString(1, trail);
        insert.setLong(2, line.sequence());
        dialect.setTime(insert, 3, line.time());
        insert.setObject(4, line.number("durationMs").orElse(null), Types.BIGINT);
        insert.setString(5, line.json());
        for (int i = 0; i < TEXTS.size(); i++) {
            insert.setString(6 + i, text(TEXTS.get(i)));
        }
    }

    /** The value of a column as a text; null if the record has none. */
    @Nullable
    String text(String column) {
        return switch (column) {
            case "sequence" -> Long.toString(line.sequence());
            case "duration_ms" -> line.number("durationMs").map(String::valueOf).orElse(null);
            case "record_id" -> id;
            case "type" -> type(line);
            case "correlation_id" -> member("correlationId");
            case "principal" ->
                line.text("principal", "name").map(TrailRow::shown).orElse(null);
            case "client_id" -> member("clientId");
            case "outcome" -> outcome();
            case "hash" -> line.head().hash();
            default -> member(column);
        };
    }

    /** The id of the record, or a digest of it if a column cannot hold it. */
    private static String idOf(ParsedRecord line) {
        var suffix = "-" + type(line);
        var id = line.id();
        return id.endsWith(suffix) ? key(id.substring(0, id.length() - suffix.length())) + suffix : key(id);
    }

    private static String type(ParsedRecord line) {
        return line.type().name().toLowerCase(Locale.ROOT);
    }

    /** The outcome of a call; the kind of a note. */
    private @Nullable String outcome() {
        return switch (line.type()) {
            case ENTER -> null;
            case EXIT -> member("outcome");
            case DENIED -> "denied";
            case NOTE -> member("kind");
        };
    }

    private @Nullable String member(String key) {
        return line.text(key).map(TrailRow::shown).orElse(null);
    }

    /** A text that a column and an index can hold, without control characters. */
    private static String shown(String text) {
        var shown = new StringBuilder();
        text.codePoints()
                .limit(MAX_LENGTH)
                .map(each -> isShown(each) ? each : REPLACEMENT)
                .forEach(shown::appendCodePoint);
        return shown.toString();
    }

    /** A text that a column can hold and that stays distinct: its digest if it has characters that are not stored. */
    private static String key(String text) {
        return text.equals(shown(text)) ? text : "sha256:" + digest(text);
    }

    private static boolean isShown(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE -> false;
            default -> true;
        };
    }

    private static String digest(String text) {
        return HexFormat.of().formatHex(AuditChain.sha256().digest(text.getBytes(UTF_16BE)));
    }
}
