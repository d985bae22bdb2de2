package io.mcpbridge.audit.internal.json;

import io.mcpbridge.audit.internal.json.JsonCursor.Token;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads JSON as plain values: maps, lists, texts, {@code Long} or {@code Double}, booleans and null. */
public final class JsonValues {
    private static final int MOST_LEVELS = 1_000;

    private final JsonCursor cursor;

    private JsonValues(JsonCursor cursor) {
        this.cursor = cursor;
    }

    /**
     * The value of a whole text.
     *
     * @throws MalformedJsonException if it is not JSON, nests deeper than 1,000 levels, has a key twice in one object, or
     *     a number beyond the range of {@code double}
     */
    public static @Nullable Object read(String json) {
        var cursor = new JsonCursor(json);
        var value = new JsonValues(cursor).value(cursor.next());
        var unused = cursor.next();
        return value;
    }

    /**
     * The members of a text that is one object.
     *
     * @throws MalformedJsonException as {@link #read} does, and for any other value
     */
    public static Map<String, @Nullable Object> readObject(String json) {
        return members(read(json)).orElseThrow(() -> new MalformedJsonException("the text must be a JSON object"));
    }

    /** The members, where the value is an object. */
    @SuppressWarnings("unchecked") // Maps are made here alone, with these types.
    public static Optional<Map<String, @Nullable Object>> members(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? Optional.of((Map<String, @Nullable Object>) map) : Optional.empty();
    }

    private @Nullable Object value(Token token) {
        return switch (token) {
            case OBJECT -> object();
            case ARRAY -> array();
            case STRING -> cursor.text();
            case NUMBER -> number(cursor.raw());
            case LITERAL -> literal(cursor.raw());
            default -> throw MalformedJsonException.at(cursor.start(), "a value");
        };
    }

    private Map<String, @Nullable Object> object() {
        requireDepth();
        var members = new LinkedHashMap<String, @Nullable Object>();
        while (cursor.next() == Token.KEY) {
            var key = cursor.text();
            if (members.containsKey(key)) {
                throw MalformedJsonException.at(cursor.start(), "a key that was not there before");
            }
            members.put(key, value(cursor.next()));
        }
        return members;
    }

    private List<@Nullable Object> array() {
        requireDepth();
        var elements = new ArrayList<@Nullable Object>();
        for (var token = cursor.next(); token != Token.END_ARRAY; token = cursor.next()) {
            elements.add(value(token));
        }
        return elements;
    }

    private void requireDepth() {
        if (cursor.depth() > MOST_LEVELS) {
            throw MalformedJsonException.at(cursor.start(), "no more than %d levels".formatted(MOST_LEVELS));
        }
    }

    private static @Nullable Object literal(String raw) {
        return raw.equals("null") ? null : (Object) raw.equals("true");
    }

    private static Number number(String raw) {
        if (raw.length() < 19 && raw.chars().allMatch(each -> each == '-' || (each >= '0' && each <= '9'))) {
            return Long.parseLong(raw);
        }
        var number = Double.parseDouble(raw);
        if (Double.isInfinite(number)) {
            throw new MalformedJsonException("a number is beyond the range of IEEE 754 doubles");
        }
        return number;
    }
}
