package io.mcpbridge.agents;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.tool.Json;
import java.net.URLDecoder;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites the schema of a tool's arguments so that every API accepts it: an object with properties, and without
 * alternatives at the top. The properties of alternatives become properties of the object. A property with a name that
 * Anthropic rejects, such as {@code $filter}, gets another one. For one thread.
 */
final class ToolSchema {
    /** The APIs reject these at the top. */
    private static final Set<String> REJECTED = Set.of("allOf", "anyOf", "oneOf", "not", "enum", "const", "$ref");

    /** Their values are no schemas. */
    private static final Set<String> VALUES = Set.of("default", "const", "enum", "examples");

    /** The definition that keeps what references point to. */
    private static final String REJECTED_PARTS = "_rejected";

    private static final int MAX_NOTE = 2_000;

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    private final Map<?, ?> root;
    private final Map<String, String> plainNames = new LinkedHashMap<>();
    private final Map<String, @Nullable Object> properties = new LinkedHashMap<>();
    private final Set<String> required = new LinkedHashSet<>();

    /** The JSON pointers of the parts with an {@code $anchor}, by the reference to it. */
    private final Map<String, String> anchors = new HashMap<>();

    /** Whether a reference points into what the APIs reject at the top. */
    private boolean refersToRejected;

    /** The schemas that were merged; a schema may refer to itself. */
    private final Set<Object> merged = Collections.newSetFromMap(new IdentityHashMap<>());

    ToolSchema(Map<?, ?> root) {
        this.root = root;
        findAnchors(root, "#");
        merge(root, true);
        properties.keySet().stream()
                .filter(name -> !PLAIN.matcher(name).matches())
                .forEach(name -> plainNames.put(name, plain(name)));
    }

    private void findAnchors(@Nullable Object schema, String pointer) {
        if (schema instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                findAnchors(list.get(i), pointer + "/" + i);
            }
        } else if (schema instanceof Map<?, ?> members) {
            if (members.get("$anchor") instanceof String name) {
                anchors.putIfAbsent("#" + name, pointer);
            }
            members.forEach((key, value) -> findAnchors(value, pointer + "/" + escaped((String) key)));
        }
    }

    /** @param applies whether the schema must hold, rather than being an alternative */
    private void merge(@Nullable Object schema, boolean applies) {
        if (!(schema instanceof Map<?, ?> members) || !merged.add(members)) {
            return;
        }
        if (members.get("properties") instanceof Map<?, ?> own) {
            own.forEach((name, value) -> properties.putIfAbsent((String) name, value));
        }
        if (applies && members.get("required") instanceof List<?> names) {
            names.forEach(name -> required.add(String.valueOf(name)));
        }
        if (members.get("$ref") instanceof String reference) {
            merge(target(reference), applies);
        }
        elements(members, "allOf").forEach(each -> merge(each, applies));
        Stream.of("anyOf", "oneOf").flatMap(key -> elements(members, key)).forEach(each -> merge(each, false));
    }

    /** A name for the APIs that no property has. */
    private String plain(String name) {
        var plain = name.replaceAll("[^A-Za-z0-9_.-]", "_");
        plain = "_" + plain.substring(0, Math.min(plain.length(), 50));
        while (properties.containsKey(plain) || plainNames.containsValue(plain)) {
            plain += "_";
        }
        return plain;
    }

    /** The names for the APIs of the properties whose own name they reject. */
    Map<String, String> plainNames() {
        return plainNames;
    }

    private static Stream<?> elements(Map<?, ?> schema, String key) {
        return schema.get(key) instanceof List<?> list ? list.stream() : Stream.of();
    }

    /** What a reference within the document points to; null if there is nothing. */
    private @Nullable Object target(String reference) {
        var pointer = anchors.getOrDefault(reference, reference);
        if (!pointer.equals("#") && !pointer.startsWith("#/")) {
            return null;
        }
        Object found = root;
        for (var key : pointer.substring(1).split("/", -1)) {
            if (!key.isEmpty()) {
                found = found instanceof Map<?, ?> members
                        ? members.get(unescaped(key))
                        : found instanceof List<?> list
                                        && key.matches("\\d{1,5}")
                                        && list.size() > Integer.parseInt(key)
                                ? list.get(Integer.parseInt(key))
                                : null;
            }
        }
        return found;
    }

    /** The schema for the API. */
    Map<String, Object> parameters() {
        var parameters = new LinkedHashMap<String, Object>();
        root.forEach((key, value) -> {
            if (value != null && !REJECTED.contains(key) && !key.equals("$schema")) {
                parameters.put((String) key, copy(value));
            }
        });
        parameters.put("type", "object");
        var shown = new LinkedHashMap<String, Object>();
        properties.forEach((name, schema) -> shown.put(plainNames.getOrDefault(name, name), copy(schema)));
        parameters.put("properties", shown);
        required.retainAll(properties.keySet());
        parameters.remove("required");
        if (!required.isEmpty()) {
            parameters.put(
                    "required",
                    required.stream()
                            .map(name -> plainNames.getOrDefault(name, name))
                            .toList());
        }
        if (refersToRejected) {
            var definitions = new LinkedHashMap<Object, @Nullable Object>();
            definitions.putAll(parameters.get("$defs") instanceof Map<?, ?> own ? own : Map.of());
            definitions.put(REJECTED_PARTS, copy(rejected()));
            parameters.put("$defs", definitions);
        }
        return parameters;
    }

    /** Tells the model what the rewritten schema lacks; empty if it lacks nothing. */
    String note() {
        var rejected = rejected();
        var note = rejected.isEmpty() ? "" : Json.of(rejected).text();
        return note.isEmpty() || note.length() > MAX_NOTE
                ? ""
                : "The arguments must also match this JSON Schema: " + note;
    }

    private Map<Object, Object> rejected() {
        var rejected = new LinkedHashMap<Object, Object>();
        root.forEach((key, value) -> {
            if (value != null && REJECTED.contains(key) && !key.equals("$ref")) {
                rejected.put(key, value);
            }
        });
        return rejected;
    }

    /** A copy in which each array says what it has, as OpenAI requires, and references point to where their targets are. */
    private Object copy(@Nullable Object schema) {
        if (schema instanceof List<?> list) {
            return list.stream().map(this::copy).toList();
        }
        if (!(schema instanceof Map<?, ?> members)) {
            return schema == null ? Map.of() : schema;
        }
        var copy = new LinkedHashMap<Object, @Nullable Object>();
        members.forEach((key, value) -> copy.put(key, VALUES.contains(key) ? value : copy(value)));
        copy.computeIfPresent("$anchor", (key, value) -> value instanceof String ? null : value);
        copy.computeIfPresent("$ref", (key, value) -> value instanceof String reference ? moved(reference) : value);
        if ("array".equals(copy.get("type")) && !copy.containsKey("prefixItems")) {
            copy.putIfAbsent("items", Map.of());
        }
        return copy;
    }

    private String moved(String reference) {
        var pointer = anchors.getOrDefault(reference, reference);
        var keys = pointer.split("/", 4);
        if (!keys[0].equals("#") || keys.length < 3) {
            return pointer;
        }
        if (REJECTED.contains(keys[1])) {
            refersToRejected = true;
            return "#/$defs/" + REJECTED_PARTS + pointer.substring(1);
        }
        if (keys[1].equals("properties")) {
            keys[2] = plainNames.getOrDefault(unescaped(keys[2]), keys[2]);
        }
        return String.join("/", keys);
    }

    /** A key of a JSON pointer in a URI as it is in an object. */
    private static String unescaped(String key) {
        var decoded = key;
        try {
            decoded = URLDecoder.decode(key.replace("+", "%2B"), UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            // Some servers write a name with % as it is.
        }
        return decoded.replace("~1", "/").replace("~0", "~");
    }

    private static String escaped(String key) {
        return key.replace("~", "~0").replace("/", "~1").replace("%", "%25");
    }
}
