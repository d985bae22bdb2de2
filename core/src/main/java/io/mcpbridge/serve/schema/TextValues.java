package io.mcpbridge.serve.schema;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/** Java types whose values are texts in JSON. */
final class TextValues {

    /**
     * One such type.
     *
     * @param format what JSON Schema calls its form; the empty string where it has no name
     */
    private record Form(String format, Function<String, Object> read) {}

    private static final Map<Class<?>, Form> FORMS = Map.of(
            String.class, new Form("", text -> text),
            URI.class, new Form("uri", URI::create),
            UUID.class, new Form("uuid", UUID::fromString),
            Duration.class, new Form("duration", Duration::parse),
            Instant.class, new Form("date-time", Instant::parse),
            OffsetDateTime.class, new Form("date-time", OffsetDateTime::parse),
            LocalDate.class, new Form("date", LocalDate::parse),
            LocalDateTime.class, new Form("", LocalDateTime::parse),
            LocalTime.class, new Form("", LocalTime::parse));

    private TextValues() {}

    static boolean isText(Class<?> type) {
        return FORMS.containsKey(type);
    }

    /** The schema of such a type. */
    static Map<String, Object> schema(Class<?> type) {
        var format = form(type).format();
        return format.isEmpty() ? Values.object("type", "string") : Values.object("type", "string", "format", format);
    }

    /** Reads a text as such a type; throws a {@link RuntimeException} that says what is wrong. */
    static Object read(Class<?> type, String text) {
        return form(type).read().apply(text);
    }

    private static Form form(Class<?> type) {
        return java.util.Objects.requireNonNull(FORMS.get(type));
    }
}
