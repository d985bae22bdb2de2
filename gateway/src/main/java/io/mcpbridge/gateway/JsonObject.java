package io.mcpbridge.gateway;

import io.mcpbridge.message.JsonText;
import java.util.Collection;
import java.util.stream.Collectors;

/** Writes one JSON object, member by member. For one thread. */
final class JsonObject {
    private final StringBuilder json = new StringBuilder("{");

    JsonObject text(String name, String value) {
        return raw(name, JsonText.quote(value));
    }

    JsonObject number(String name, long value) {
        return raw(name, Long.toString(value));
    }

    JsonObject texts(String name, Collection<String> values) {
        return raw(name, values.stream().map(JsonText::quote).collect(Collectors.joining(",", "[", "]")));
    }

    /** A member whose value is JSON already. */
    JsonObject raw(String name, String value) {
        if (json.length() > 1) {
            json.append(',');
        }
        json.append(JsonText.quote(name)).append(':').append(value);
        return this;
    }

    String json() {
        return json + "}";
    }
}
