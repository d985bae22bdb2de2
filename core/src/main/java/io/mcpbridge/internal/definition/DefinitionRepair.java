package io.mcpbridge.internal.definition;

import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.Era;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Rewrites members of a definition that break the protocol although their meaning is clear, such as nulls. Pure. */
public final class DefinitionRepair {
    private static final Set<String> OPTIONAL =
            Set.of("title", "description", "outputSchema", "annotations", "icons", "execution", "_meta");
    private static final Set<String> OF_SCHEMAS = Set.of("$schema", "properties", "required");

    /** Optional keys within a member; elsewhere in a schema {@code null} is a value. */
    private static final Map<String, Set<String>> WITHIN = Map.of(
            "inputSchema", OF_SCHEMAS,
            "outputSchema", OF_SCHEMAS,
            "annotations", Set.of("title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"),
            "icons", Set.of("mimeType", "sizes", "theme"),
            "execution", Set.of("taskSupport"));

    private static final Set<String> SCHEMAS = Set.of("inputSchema", "outputSchema");
    private static final Map<String, String> OBJECTS = Map.of("true", "{}", "false", "{\"not\":{}}");
    private static final String PROPERTIES = "properties";

    private DefinitionRepair() {}

    /** The repaired members for this era. */
    public static Map<String, String> of(Map<String, String> members, Era era) {
        var mended = new LinkedHashMap<>(members);
        mended.entrySet().removeIf(each -> isNull(each.getValue()) && OPTIONAL.contains(each.getKey()));
        WITHIN.forEach((key, optional) -> mended.computeIfPresent(key, (same, raw) -> withoutNulls(raw, optional)));
        if (era == Era.LEGACY) {
            SCHEMAS.forEach(each -> mended.computeIfPresent(each, (key, raw) -> withObjectsAsProperties(raw)));
        }
        return mended;
    }

    static String withoutNulls(String raw, Set<String> optional) {
        if (!raw.contains("null")) {
            return raw;
        }
        if (raw.startsWith("[")) {
            return withoutNullsInEach(raw, optional);
        }
        if (!raw.startsWith("{")) {
            return raw;
        }
        var members = JsonCodec.rawMembers(raw);
        var isMended = members.entrySet().removeIf(each -> isNull(each.getValue()) && optional.contains(each.getKey()));
        return isMended ? JsonCodec.object(members) : raw;
    }

    private static String withoutNullsInEach(String array, Set<String> optional) {
        var elements = JsonCodec.rawElements(array);
        var mended = elements.stream().map(each -> withoutNulls(each, optional)).toList();
        return mended.equals(elements) ? array : "[" + String.join(",", mended) + "]";
    }

    private static boolean isNull(String raw) {
        return raw.equals("null");
    }

    private static String withObjectsAsProperties(String schema) {
        if (!schema.startsWith("{") || !(schema.contains("true") || schema.contains("false"))) {
            return schema;
        }
        var members = JsonCodec.rawMembers(schema);
        var raw = members.getOrDefault(PROPERTIES, "");
        if (!raw.startsWith("{")) {
            return schema;
        }
        var properties = JsonCodec.rawMembers(raw);
        if (properties.values().stream().noneMatch(OBJECTS::containsKey)) {
            return schema;
        }
        properties.replaceAll((name, property) -> OBJECTS.getOrDefault(property, property));
        members.put(PROPERTIES, JsonCodec.object(properties));
        return JsonCodec.object(members);
    }
}
