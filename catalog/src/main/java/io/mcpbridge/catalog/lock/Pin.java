package io.mcpbridge.catalog.lock;

import static io.mcpbridge.message.CanonicalJson.EXACT;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.CanonicalJson;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolDefinition;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One definition of a tool in canonical form.
 *
 * @param hash the SHA-256 of {@code json}
 * @param json the definition
 */
record Pin(String hash, String json) {

    static Pin of(Map<?, ?> definition) {
        return new Pin(EXACT.sha256(definition), EXACT.write(definition));
    }

    /**
     * The definition that a server lists.
     *
     * @throws ProtocolException if it has no canonical form
     */
    static Pin of(ToolDefinition listed) {
        return of(parse(listed.json().text()));
    }

    /** The definition as a value to compare. */
    Map<String, @Nullable Object> definition() {
        return parse(json);
    }

    /**
     * Reads an object so that equal JSON gives equal values: members are sorted, numbers are exact.
     *
     * @throws ProtocolException if it is no JSON object, has a key twice in one object, or has a number out of range
     */
    static Map<String, @Nullable Object> parse(String json) {
        return members(Json.parse(json).asMap());
    }

    private static Map<String, @Nullable Object> members(Map<?, ?> map) {
        Map<String, @Nullable Object> members = new TreeMap<>();
        map.forEach((key, value) -> members.put(String.valueOf(key), exact(value)));
        return members;
    }

    private static @Nullable Object exact(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return members(map);
        }
        if (value instanceof List<?> list) {
            var elements = new ArrayList<@Nullable Object>(list.size());
            list.forEach(element -> elements.add(exact(element)));
            return elements;
        }
        if (value instanceof Number number) {
            return CanonicalJson.exact(new BigDecimal(number.toString()));
        }
        return value;
    }
}
