package io.mcpbridge.audit.internal.json;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON in the one form of RFC 8785: members sorted, no space, numbers and texts as ECMAScript writes them.
 *
 * <p>Two texts that mean the same have one form, so whoever has the form may sign or hash it.
 */
public final class CanonicalJson {
    private final StringBuilder json = new StringBuilder();

    private CanonicalJson() {}

    /**
     * The canonical form of a JSON text.
     *
     * @throws MalformedJsonException if it has none, which {@link JsonValues#read} tells, or a surrogate stands alone
     */
    public static String of(String json) {
        return write(JsonValues.read(json));
    }

    /**
     * Writes a plain value: maps, iterables, texts, numbers, booleans and nulls.
     *
     * @throws MalformedJsonException if a surrogate stands alone or a number is not finite
     */
    public static String write(@Nullable Object value) {
        var writer = new CanonicalJson();
        writer.value(value);
        return writer.json.toString();
    }

    private void value(@Nullable Object value) {
        if (value instanceof String text) {
            JsonStrings.append(json, text);
        } else if (value instanceof Map<?, ?> map) {
            object(map);
        } else if (value instanceof Iterable<?> elements) {
            array(elements);
        } else if (value instanceof Number number) {
            json.append(CanonicalNumber.of(number));
        } else if (value instanceof Boolean || value == null) {
            json.append(value);
        } else {
            throw new MalformedJsonException("%s cannot be written as JSON".formatted(value.getClass()));
        }
    }

    private void object(Map<?, ?> map) {
        var sorted = new TreeMap<String, @Nullable Object>();
        map.forEach((key, member) -> sorted.put(String.valueOf(key), member));
        var separator = '{';
        for (var member : sorted.entrySet()) {
            json.append(separator);
            JsonStrings.append(json, member.getKey());
            json.append(':');
            value(member.getValue());
            separator = ',';
        }
        json.append(sorted.isEmpty() ? "{}" : "}");
    }

    private void array(Iterable<?> elements) {
        json.append('[');
        var first = true;
        for (var element : elements) {
            if (!first) {
                json.append(',');
            }
            first = false;
            value(element);
        }
        json.append(']');
    }
}
