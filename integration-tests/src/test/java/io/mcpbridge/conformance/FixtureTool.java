package io.mcpbridge.conformance;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.util.function.BiFunction;

/** Makes the tools of {@link LegacyFixture}. */
final class FixtureTool {
    /** A schema that every object keeps. */
    static final String ANY = "{\"type\": \"object\"}";

    private FixtureTool() {}

    static SyncToolSpecification tool(
            String name, String schema, BiFunction<McpSyncServerExchange, CallToolRequest, CallToolResult> handler) {
        var tool = Tool.builder(name, McpJsonDefaults.getMapper(), schema)
                .description("Does what the conformance suite asks of '" + name + "'.")
                .build();
        return SyncToolSpecification.builder().tool(tool).callHandler(handler).build();
    }

    static CallToolResult said(String text) {
        return CallToolResult.builder().addTextContent(text).build();
    }
}
