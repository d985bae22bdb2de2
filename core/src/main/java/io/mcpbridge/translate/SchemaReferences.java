package io.mcpbridge.translate;

import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.JsonText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Keeps a JSON Schema's references to itself right when the whole of it is moved down in another one. */
final class SchemaReferences {
    /** What stands there is data, not a schema. */
    private static final Set<String> DATA = Set.of("const", "enum", "default", "examples");

    /** What stands there are schemas by names of the author's. */
    private static final Set<String> NAMED =
            Set.of("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies");

    private static final Set<String> REFERENCES = Set.of("$ref", "$dynamicRef");

    private final String place;

    private SchemaReferences(String place) {
        this.place = place;
    }

    /**
     * The schema as it reads at another place.
     *
     * @param place a JSON pointer, such as {@code /properties/result}
     */
    static String below(String place, String schema) {
        return new SchemaReferences(place).schema(schema);
    }

    private String schema(String raw) {
        if (raw.startsWith("[")) {
            return Json.rawElements(raw).stream().map(this::schema).collect(Collectors.joining(",", "[", "]"));
        }
        if (!raw.startsWith("{")) {
            return raw;
        }
        var members = new LinkedHashMap<>(Json.rawMembers(raw));
        if (isOfItsOwn(members)) {
            return raw;
        }
        members.replaceAll(this::member);
        return Json.object(members);
    }

    /** Whether references in it begin at itself, wherever it stands: it has an address of its own. */
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
        var members = new LinkedHashMap<>(Json.rawMembers(raw));
        members.replaceAll((name, schema) -> schema(schema));
        return Json.object(members);
    }

    private String reference(String raw) {
        var text = JsonText.decode(raw);
        var isLocal = text.equals("#") || text.startsWith("#/");
        return isLocal ? JsonText.quote("#" + place + text.substring(1)) : raw;
    }
}
