package io.mcpbridge.audit.redact;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The places that a JSON Schema marks as secret: by {@code x-sensitive}, {@code writeOnly} or {@code format: password},
 * at any depth and through references within the schema. Immutable.
 *
 * <p>If a part of a schema is too complex to follow, its whole place is secret.
 */
public final class SchemaMarks {
    private static final Map<String, Object> SECRET = Map.of("writeOnly", true);

    /** Nothing is secret. */
    public static final SchemaMarks NONE = new SchemaMarks(Map.of(), List.of());

    /** Everything is secret. */
    public static final SchemaMarks ALL = new SchemaMarks(Map.of(), List.of(SECRET));

    private static final List<String> OF_OTHER_MEMBERS = List.of("additionalProperties", "unevaluatedProperties");
    private static final List<String> OF_ELEMENTS =
            List.of("items", "additionalItems", "unevaluatedItems", "contains", "prefixItems");
    private static final List<String> OF_SAME_VALUE = List.of("allOf", "anyOf", "oneOf", "if", "then", "else", "not");

    private static final int MAX_AT_ONCE = 32;

    /** The whole schema, in which references are resolved. */
    private final Object root;

    /** The schemas of this place, with the schemas that they include. */
    private final List<? extends Map<?, ?>> schemas;

    private final boolean isSecret;

    private SchemaMarks(Object root, List<? extends Map<?, ?>> schemas) {
        this.root = root;
        this.schemas = schemas;
        this.isSecret = schemas.stream().anyMatch(SchemaMarks::isMarked);
    }

    /** The marks of a schema that was parsed into plain values; none if the value is not a schema. */
    public static SchemaMarks of(@Nullable Object schema) {
        return schema instanceof Map<?, ?> map ? closed(map, List.of(map)) : NONE;
    }

    /** The marks of a result whose {@code structuredContent} has these marks. */
    public SchemaMarks asStructuredContent() {
        return isNone()
                ? NONE
                : new SchemaMarks(
                        root, List.of(Map.of("properties", Map.of("structuredContent", Map.of("allOf", schemas)))));
    }

    /** Whether the text of a schema contains a word that marks secrets; other schemas need not be parsed. */
    public static boolean mayMark(String schema) {
        return schema.contains("x-sensitive")
                || schema.contains("writeOnly")
                || schema.contains("password")
                || schema.contains("\\u");
    }

    boolean isSecret() {
        return isSecret;
    }

    boolean isNone() {
        return schemas.isEmpty();
    }

    /** The marks of a member. */
    SchemaMarks member(String key) {
        return next((schema, found) -> {
            var own = members(schema, "properties").get(key);
            var patterns = members(schema, "patternProperties");
            if (!(own instanceof Map<?, ?>) || !patterns.isEmpty()) {
                patterns.values().forEach(each -> addSchemas(each, found));
                OF_OTHER_MEMBERS.forEach(keyword -> addSchemas(schema.get(keyword), found));
            }
            addSchemas(own, found);
        });
    }

    /** The marks of the elements, at any position. */
    SchemaMarks element() {
        return next((schema, found) -> OF_ELEMENTS.forEach(keyword -> addSchemas(schema.get(keyword), found)));
    }

    private SchemaMarks next(BiConsumer<Map<?, ?>, List<Map<?, ?>>> step) {
        if (this == ALL || isNone()) {
            return this;
        }
        var found = new ArrayList<Map<?, ?>>();
        schemas.forEach(each -> step.accept(each, found));
        return closed(root, found);
    }

    /** The marks of schemas and of the schemas that they include. */
    private static SchemaMarks closed(Object root, List<? extends Map<?, ?>> from) {
        var closed = new ArrayList<Map<?, ?>>();
        var open = new ArrayList<Map<?, ?>>(from);
        for (int at = 0; at < open.size(); at++) {
            var schema = open.get(at);
            if (closed.stream().noneMatch(each -> each == schema)) {
                if (closed.size() == MAX_AT_ONCE) {
                    return ALL;
                }
                closed.add(schema);
                OF_SAME_VALUE.forEach(keyword -> addSchemas(schema.get(keyword), open));
                members(schema, "dependentSchemas").values().forEach(each -> addSchemas(each, open));
                addSchemas(referred(schema.get("$ref"), root), open);
                addSchemas(referred(schema.get("$dynamicRef"), root), open);
            }
        }
        return closed.isEmpty() ? NONE : new SchemaMarks(root, closed);
    }

    private static void addSchemas(@Nullable Object value, List<Map<?, ?>> found) {
        if (value instanceof List<?> list) {
            list.forEach(each -> addSchemas(each, found));
        } else if (value instanceof Map<?, ?> schema) {
            found.add(schema);
        }
    }

    private static boolean isMarked(Map<?, ?> schema) {
        var sensitive = schema.get("x-sensitive");
        return (sensitive != null && !sensitive.equals(false))
                || Boolean.TRUE.equals(schema.get("writeOnly"))
                || "password".equals(schema.get("format"));
    }

    /** The members of an object in a schema; none for another value. */
    private static Map<?, ?> members(Map<?, ?> schema, String keyword) {
        return schema.get(keyword) instanceof Map<?, ?> members ? members : Map.of();
    }

    /** Resolves a JSON pointer within the schema. An anchor is not resolved, so its place is secret. */
    private static @Nullable Object referred(@Nullable Object reference, Object root) {
        if (!(reference instanceof String text) || !text.startsWith("#")) {
            return null;
        }
        if (text.equals("#")) {
            return root;
        }
        if (!text.startsWith("#/")) {
            return SECRET;
        }
        Object at = root;
        for (var step : text.substring(2).split("/", -1)) {
            var key = decoded(step);
            if (at instanceof List<?> list && key.matches("[0-9]{1,6}") && Integer.parseInt(key) < list.size()) {
                at = list.get(Integer.parseInt(key));
            } else {
                at = at instanceof Map<?, ?> members ? members.get(key) : null;
            }
        }
        return at;
    }

    private static String decoded(String step) {
        var escaped = step.replace("~1", "/").replace("~0", "~");
        try {
            return URLDecoder.decode(escaped.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return escaped;
        }
    }
}
