package io.mcpbridge.sdk;

import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolResult;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts results and definitions of tools to types of the official SDK. */
public final class SdkResults {
    /** The key in {@code _meta} of the members that the SDK's type does not have. */
    public static final String OTHER_MEMBERS = "io.mcpbridge/other-members";

    private static final TypeRef<Map<String, @Nullable Object>> MEMBERS = new TypeRef<>() {};

    private SdkResults() {}

    /**
     * Converts the result of a tool. Numbers keep their digits; other members of the result are in {@link
     * #OTHER_MEMBERS}. A block of a type that the SDK does not know becomes a text, which is its JSON.
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
            return McpJsonDefaults.getMapper().convertValue(block, McpSchema.Content.class);
        } catch (RuntimeException unknownType) {
            // Each mapper has exceptions of its own.
            return new McpSchema.TextContent(null, Json.of(block).text(), null);
        }
    }

    /** Converts the definition of a tool. Members that the SDK's type does not have are in {@link #OTHER_MEMBERS}. */
    public static McpSchema.Tool toTool(ToolDefinition definition) {
        var mapper = McpJsonDefaults.getMapper();
        var members =
                new LinkedHashMap<String, @Nullable Object>(definition.json().asMap());
        var tool = mapper.convertValue(members, McpSchema.Tool.class);
        var others = new LinkedHashMap<>(members);
        others.keySet().removeAll(mapper.convertValue(tool, MEMBERS).keySet());
        if (others.isEmpty()) {
            return tool;
        }
        members.put("_meta", withOthers(tool.meta() == null ? Map.of() : tool.meta(), others));
        return mapper.convertValue(members, McpSchema.Tool.class);
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
