package io.mcpbridge.internal.json;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.JsonStrings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Moves a JSON Schema into another one, and adapts its references to itself. Pure; any thread. */
public final class SchemaReferenceRewriter {

    /** Keywords whose values are data, not schemas. */
    private static final Set<String> DATA = Set.of("const", "enum", "default", "examples");

    /** Keywords whose values are schemas by name. */
    private static final Set<String> NAMED =
            Set.of("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies");

    private static final Set<String> REFERENCES = Set.of("$ref", "$dynamicRef");

    private final String place;

    private SchemaReferenceRewriter(String place) {
        this.place = place;
    }

    /**
     * The schema at another place.
     *
     * @param place a JSON pointer, such as {@code /properties/result}
     * @throws ProtocolException if the schema is not JSON
     */
    public static String below(String place, String schema) {
        return new SchemaReferenceRewriter(place).schema(schema);
    }

    private String schema(String raw) {
        if (raw.startsWith("[")) {
            return JsonCodec.rawElements(raw).stream().map(this::schema).collect(Collectors.joining(",", "[", "]"));
        }
        if (!raw.startsWith("{")) {
            return raw;
        }
        var members = new LinkedHashMap<>(JsonCodec.rawMembers(raw));
        if (isOfItsOwn(members)) {
            return raw;
        }
        members.replaceAll(this::member);
        return JsonCodec.object(members);
    }

    /** Whether it has an {@code $id}, at which its references begin wherever it is. */
    private static boolean isOfItsOwn(Map<String, String> members) {
        var id = members.getOrDefault("$id", "");
        return id.startsWith("\"") && !id.startsWith("\"#");
    }

    private String member(String key, String raw) {
        if (REFERENCES.contains(key) && raw.startsWith("\"")) {
            return reference(raw);
        }
        if (DATA.contains(key)) {
            return raw;
        }
        return NAMED.contains(key) && raw.startsWith("{") ? named(raw) : schema(raw);
    }

    private String named(String raw) {
        var members = new LinkedHashMap<>(JsonCodec.rawMembers(raw));
        members.replaceAll((name, schema) -> schema(schema));
        return JsonCodec.object(members);
    }

    private String reference(String raw) {
        var text = JsonStrings.decode(raw);
        var isLocal = text.equals("#") || text.startsWith("#/");
        return isLocal ? JsonStrings.quote("#" + place + text.substring(1)) : raw;
    }
}
