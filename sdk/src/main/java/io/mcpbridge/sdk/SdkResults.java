package io.mcpbridge.sdk;

import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolResult;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts results and definitions of tools to types of the official SDK.
 *
 * <p>Members that the SDK's types do not have are in {@code _meta} of the result, block or definition, under {@link
 * #OTHER_MEMBERS} and their path: an unknown {@code size} of the first icon is {@code {"icons": {"0": {"size": 3}}}}.
 */
public final class SdkResults {
    /** The key in {@code _meta} of the members that the SDK's types do not have. */
    public static final String OTHER_MEMBERS = "io.mcpbridge/other-members";

    private static final TypeRef<Map<String, @Nullable Object>> MEMBERS = new TypeRef<>() {};

    private SdkResults() {}

    /**
     * Converts the result of a tool. Numbers keep their digits, except where the SDK has a {@code double}. A block whose type
     * or values the SDK does not know becomes a text, which is its JSON.
     */
    public static CallToolResult toCallToolResult(ToolResult result) {
        var meta = withOthers(result.meta(), result.otherMembers());
        return new CallToolResult(
                result.content().stream().map(SdkResults::toContent).toList(),
                result.isError(),
                result.structuredContent(),
                meta.isEmpty() ? null : meta);
    }

    private static McpSchema.Content toContent(Map<String, @Nullable Object> block) {
        try {
            return convert(block, McpSchema.Content.class);
        } catch (RuntimeException unknownType) {
            // Each mapper has exceptions of its own.
            return new McpSchema.TextContent(null, Json.of(block).text(), null);
        }
    }

    /** Converts the definition of a tool. */
    public static McpSchema.Tool toTool(ToolDefinition definition) {
        return convert(definition.json().asMap(), McpSchema.Tool.class);
    }

    private static <T> T convert(Map<String, @Nullable Object> members, Class<T> type) {
        var mapper = McpJsonDefaults.getMapper();
        var converted = mapper.convertValue(members, type);
        var others = missing(members, mapper.convertValue(converted, MEMBERS));
        if (others.isEmpty()) {
            return converted;
        }
        var all = new LinkedHashMap<>(members);
        all.put("_meta", withOthers(members(members.get("_meta")), others));
        return mapper.convertValue(all, type);
    }

    /** Returns the members of a JSON value that its copy lacks, at any depth. */
    private static Map<String, @Nullable Object> missing(@Nullable Object value, @Nullable Object copy) {
        var copied = members(copy);
        var missing = new LinkedHashMap<String, @Nullable Object>();
        members(value).forEach((key, member) -> {
            var inner = missing(member, copied.get(key));
            if (!copied.containsKey(key)) {
                missing.put(key, member);
            } else if (!inner.isEmpty()) {
                missing.put(key, inner);
            }
        });
        return missing;
    }

    /** Returns the members of an object, or the elements of a list by their index. */
    private static Map<String, @Nullable Object> members(@Nullable Object value) {
        var members = new LinkedHashMap<String, @Nullable Object>();
        if (value instanceof Map<?, ?> object) {
            object.forEach((key, member) -> members.put(String.valueOf(key), member));
        } else if (value instanceof List<?> elements) {
            elements.forEach(element -> members.put(String.valueOf(members.size()), element));
        }
        return members;
    }

    private static Map<String, @Nullable Object> withOthers(
            Map<String, @Nullable Object> meta, Map<String, @Nullable Object> others) {
        if (others.isEmpty()) {
            return meta;
        }
        var all = new LinkedHashMap<>(meta);
        all.put(OTHER_MEMBERS, others);
        return all;
    }
}
