package io.mcpbridge.catalog.lock;

import io.mcpbridge.tool.ToolDefinition;
import java.util.Map;
import tools.jackson.core.JacksonException;

/**
 * One definition in canonical form.
 *
 * @param hash over all that the definition says
 * @param json the definition
 */
record Pin(String hash, String json) {

    static Pin of(Object definition) {
        return new Pin(CanonicalJson.hash(definition), CanonicalJson.write(definition));
    }

    /**
     * A definition as its server lists it.
     *
     * @throws JacksonException if it cannot be brought into canonical form
     */
    static Pin of(ToolDefinition listed) {
        return of(parse(listed.json()));
    }

    /** The definition, ready to be compared. */
    Map<?, ?> definition() {
        return parse(json);
    }

    private static Map<?, ?> parse(String json) {
        return CanonicalJson.read(json) instanceof Map<?, ?> members ? members : Map.of();
    }
}
