package io.mcpbridge.tool;

import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.Era;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** What servers write into a definition otherwise than the protocol does, though it is clear what they mean. Pure. */
final class MendedMembers {
    private static final Set<String> OPTIONAL =
            Set.of("title", "description", "outputSchema", "annotations", "icons", "execution", "_meta");
    private static final Set<String> OF_SCHEMAS = Set.of("$schema", "properties", "required");

    /** What may be missing within a member; elsewhere in a schema {@code null} is a value. */
    private static final Map<String, Set<String>> WITHIN = Map.of(
            "inputSchema", OF_SCHEMAS,
            "outputSchema", OF_SCHEMAS,
            "annotations", Set.of("title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"),
            "icons", Set.of("mimeType", "sizes", "theme"),
            "execution", Set.of("taskSupport"));

    private static final Set<String> SCHEMAS = Set.of("inputSchema", "outputSchema");
    private static final Map<String, String> OBJECTS = Map.of("true", "{}", "false", "{\"not\":{}}");
    private static final String PROPERTIES = "properties";

    private MendedMembers() {}

    /** These members as they should be in this era. */
    static Map<String, String> of(Map<String, String> members, Era era) {
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
        var members = Json.rawMembers(raw);
        var isMended = members.entrySet().removeIf(each -> isNull(each.getValue()) && optional.contains(each.getKey()));
        return isMended ? Json.object(members) : raw;
    }

    private static String withoutNullsInEach(String array, Set<String> optional) {
        var elements = Json.rawElements(array);
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
        var members = Json.rawMembers(schema);
        var raw = members.getOrDefault(PROPERTIES, "");
        if (!raw.startsWith("{")) {
            return schema;
        }
        var properties = Json.rawMembers(raw);
        if (properties.values().stream().noneMatch(OBJECTS::containsKey)) {
            return schema;
        }
        properties.replaceAll((name, property) -> OBJECTS.getOrDefault(property, property));
        members.put(PROPERTIES, Json.object(properties));
        return Json.object(members);
    }
}
