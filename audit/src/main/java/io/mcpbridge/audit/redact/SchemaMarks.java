package io.mcpbridge.audit.redact;

import io.mcpbridge.audit.internal.json.JsonValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which places of a value its JSON Schema calls secret: {@code x-sensitive}, {@code writeOnly} and {@code format:
 * password}, at any depth and through references within the schema. Immutable once made.
 *
 * <p>Where a schema is too entangled to follow, everything in that place counts as secret.
 */
public final class SchemaMarks {
    /** Nothing is secret. */
    public static final SchemaMarks NONE = new SchemaMarks(List.of(), false);

    /** Everything is secret. */
    public static final SchemaMarks ALL = new SchemaMarks(List.of(SchemaNode.secret()), true);

    private static final int MOST_AT_ONCE = 32;

    private final List<SchemaNode> nodes;
    private final boolean marksAny;

    private SchemaMarks(List<SchemaNode> nodes, boolean marksAny) {
        this.nodes = nodes;
        this.marksAny = marksAny;
    }

    /** The marks of a schema that was read as plain values; none where it is no schema. */
    public static SchemaMarks of(@Nullable Object schema) {
        var compiler = new SchemaCompiler(schema);
        return compiler.compile()
                .map(node -> new SchemaMarks(closed(node).nodes, compiler.marksAny()))
                .orElse(NONE);
    }

    /** The marks of a result whose {@code structuredContent} these are. */
    public SchemaMarks asStructuredContent() {
        if (this == NONE) {
            return NONE;
        }
        var result = new SchemaNode();
        var content = new SchemaNode();
        content.same.addAll(nodes);
        result.properties.put("structuredContent", content);
        return new SchemaMarks(List.of(result), marksAny);
    }

    /** Whether a text has any of the words by which schemas mark secrets, so that it is worth being read. */
    public static boolean mayMark(String schema) {
        return schema.contains("x-sensitive")
                || schema.contains("writeOnly")
                || schema.contains("password")
                || schema.contains("\\u");
    }

    /** Whether anything is marked, at whatever depth of a whole schema. */
    public boolean marksAny() {
        return marksAny;
    }

    boolean isSecret() {
        return nodes.stream().anyMatch(each -> each.secret);
    }

    boolean isNone() {
        return nodes.isEmpty();
    }

    /** The marks of a member. */
    SchemaMarks member(String key) {
        if (isNone() || this == ALL) {
            return this;
        }
        var next = new ArrayList<SchemaNode>();
        for (var node : nodes) {
            var property = node.properties.get(key);
            if (property == null || node.hasPatterns) {
                next.addAll(node.others);
            }
            if (property != null) {
                next.add(property);
            }
        }
        return closed(next);
    }

    /** The marks of the elements. */
    SchemaMarks element() {
        if (isNone() || this == ALL) {
            return this;
        }
        var next = new ArrayList<SchemaNode>();
        nodes.forEach(each -> next.addAll(each.items));
        return closed(next);
    }

    private static SchemaMarks closed(SchemaNode node) {
        return closed(List.of(node));
    }

    /** With the schemas that hold in the same place. */
    private static SchemaMarks closed(List<SchemaNode> from) {
        if (from.isEmpty()) {
            return NONE;
        }
        var closed = new ArrayList<SchemaNode>();
        for (var node : from) {
            add(node, closed);
        }
        for (int at = 0; at < closed.size() && closed.size() <= MOST_AT_ONCE; at++) {
            for (var same : closed.get(at).same) {
                add(same, closed);
            }
        }
        return closed.size() > MOST_AT_ONCE ? ALL : new SchemaMarks(closed, true);
    }

    private static void add(SchemaNode node, List<SchemaNode> closed) {
        if (closed.size() <= MOST_AT_ONCE && closed.stream().noneMatch(each -> each == node)) {
            closed.add(node);
        }
    }

    /** What {@link JsonValues} makes of an object, or nothing. */
    static Map<String, @Nullable Object> members(@Nullable Object value) {
        return JsonValues.members(value).orElse(Map.of());
    }
}
