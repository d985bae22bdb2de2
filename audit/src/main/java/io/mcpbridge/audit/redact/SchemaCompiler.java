package io.mcpbridge.audit.redact;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the marks of secrets in one schema, with everything that it refers to within itself. Used once. */
final class SchemaCompiler {
    private static final List<String> ALTERNATIVES = List.of("allOf", "anyOf", "oneOf");
    private static final List<String> CONDITIONS = List.of("if", "then", "else", "not");
    private static final List<String> OF_OTHERS = List.of("additionalProperties", "unevaluatedProperties");
    private static final List<String> OF_ELEMENTS =
            List.of("items", "additionalItems", "unevaluatedItems", "contains", "prefixItems");

    /** How deep schemas may lie within each other, or refer to each other in a chain, before nobody follows. */
    private static final int DEEPEST = 200;

    private final @Nullable Object root;
    private final IdentityHashMap<Object, SchemaNode> nodes = new IdentityHashMap<>();
    private int depth;
    private boolean marksAny;

    SchemaCompiler(@Nullable Object root) {
        this.root = root;
    }

    /** The node of the whole schema; empty where it is no object. */
    Optional<SchemaNode> compile() {
        return root instanceof Map<?, ?> ? Optional.of(node(root)) : Optional.empty();
    }

    /** Whether anything in what was compiled is secret. */
    boolean marksAny() {
        return marksAny;
    }

    private SchemaNode node(Object schema) {
        var known = nodes.get(schema);
        if (known != null) {
            return known;
        }
        if (depth >= DEEPEST) {
            marksAny = true;
            return SchemaNode.secret();
        }
        var node = new SchemaNode();
        nodes.put(schema, node);
        depth++;
        fill(node, SchemaMarks.members(schema));
        depth--;
        return node;
    }

    private void fill(SchemaNode node, Map<String, @Nullable Object> schema) {
        node.secret = isMarked(schema);
        marksAny |= node.secret;
        SchemaMarks.members(schema.get("properties")).forEach((key, each) -> {
            if (each instanceof Map<?, ?>) {
                node.properties.put(key, node(each));
            }
        });
        var patterns = SchemaMarks.members(schema.get("patternProperties"));
        node.hasPatterns = !patterns.isEmpty();
        patterns.values().forEach(each -> addAll(node.others, each));
        OF_OTHERS.forEach(key -> addAll(node.others, schema.get(key)));
        OF_ELEMENTS.forEach(key -> addAll(node.items, schema.get(key)));
        ALTERNATIVES.forEach(key -> addAll(node.same, schema.get(key)));
        CONDITIONS.forEach(key -> addAll(node.same, schema.get(key)));
        SchemaMarks.members(schema.get("dependentSchemas")).values().forEach(each -> addAll(node.same, each));
        for (var key : List.of("$ref", "$dynamicRef")) {
            if (schema.get(key) instanceof String reference) {
                addAll(node.same, target(reference));
            }
        }
    }

    private void addAll(List<SchemaNode> nodesOfPlace, @Nullable Object schemas) {
        if (schemas instanceof List<?> list) {
            list.forEach(each -> addAll(nodesOfPlace, each));
        } else if (schemas instanceof Map<?, ?>) {
            nodesOfPlace.add(node(schemas));
        }
    }

    private static boolean isMarked(Map<String, @Nullable Object> schema) {
        var sensitive = schema.get("x-sensitive");
        return (sensitive != null && !sensitive.equals(false))
                || Boolean.TRUE.equals(schema.get("writeOnly"))
                || "password".equals(schema.get("format"));
    }

    /** What a reference within the schema points at: a JSON pointer, or a name that an {@code $anchor} gives. */
    private @Nullable Object target(String reference) {
        if (reference.equals("#")) {
            return root;
        }
        if (reference.startsWith("#/")) {
            return pointed(reference.substring(2));
        }
        return reference.startsWith("#") ? anchored(root, reference.substring(1)) : null;
    }

    private @Nullable Object pointed(String pointer) {
        Object at = root;
        for (var step : pointer.split("/", -1)) {
            var key = decoded(step);
            if (at instanceof List<?> list && key.matches("[0-9]{1,6}") && Integer.parseInt(key) < list.size()) {
                at = list.get(Integer.parseInt(key));
            } else {
                at = SchemaMarks.members(at).get(key);
            }
        }
        return at;
    }

    private static String decoded(String step) {
        var escaped = step.replace("~1", "/").replace("~0", "~");
        try {
            return URLDecoder.decode(escaped.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return escaped;
        }
    }

    private static @Nullable Object anchored(@Nullable Object at, String name) {
        if (at instanceof List<?> list) {
            return first(list, name);
        }
        var members = SchemaMarks.members(at);
        var isHere = name.equals(members.get("$anchor")) || name.equals(members.get("$dynamicAnchor"));
        return isHere ? at : first(members.values(), name);
    }

    private static @Nullable Object first(Iterable<?> values, String name) {
        for (var each : values) {
            var found = anchored(each, name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
