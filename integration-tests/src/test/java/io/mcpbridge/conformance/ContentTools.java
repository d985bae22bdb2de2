package io.mcpbridge.conformance;

import static io.mcpbridge.conformance.FixtureTool.ANY;
import static io.mcpbridge.conformance.FixtureTool.said;
import static io.mcpbridge.conformance.FixtureTool.tool;

import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import io.modelcontextprotocol.spec.McpSchema.LoggingMessageNotification;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import java.util.List;

/** The tools of {@link LegacyFixture} that answer without asking back. */
final class ContentTools {
    /** A parameter that is copied into a header if the protocol requires it. */
    private static final String HEADER_SCHEMA = """
        {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}\
        """;

    /** Keywords that a server or bridge which models schemas tends to lose. */
    private static final String RICH_SCHEMA = """
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
         "$defs": {"address": {"$anchor": "postal", "type": "object", "properties": {"town": {"type": "string"}}}},
         "properties": {"address": {"$ref": "#/$defs/address"}, "phone": {"type": "string"},
                        "email": {"type": "string"}, "by": {"enum": ["phone", "email"]}},
         "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
         "if": {"properties": {"by": {"const": "phone"}}, "required": ["by"]},
         "then": {"required": ["phone"]}, "else": {"required": ["email"]},
         "additionalProperties": false}\
        """;

    private ContentTools() {}

    static List<SyncToolSpecification> all() {
        return List.of(
                tool("test_simple_text", ANY, (client, call) -> said("This is a simple text response for testing.")),
                tool("test_image_content", ANY, (client, call) -> of(Samples.image())),
                tool("test_audio_content", ANY, (client, call) -> of(Samples.audio())),
                tool("test_embedded_resource", ANY, (client, call) -> of(text("test://embedded-resource"))),
                tool("test_multiple_content_types", ANY, (client, call) -> mixed()),
                tool("test_error_handling", ANY, (client, call) -> error()),
                tool("test_tool_with_progress", ANY, ContentTools::progress),
                tool("test_tool_with_logging", ANY, ContentTools::log),
                tool("test_logging_tool", ANY, ContentTools::log),
                tool("test_custom_header", HEADER_SCHEMA, (client, call) -> said("served")),
                tool("json_schema_2020_12_tool", RICH_SCHEMA, (client, call) -> said("valid")));
    }

    private static CallToolResult of(Content... content) {
        return CallToolResult.builder().content(List.of(content)).build();
    }

    private static Content text(String uri) {
        return Samples.embedded(uri, "text/plain", "This is an embedded resource content.");
    }

    private static CallToolResult mixed() {
        return of(
                Samples.text("Multiple content types test:"),
                Samples.image(),
                Samples.embedded("test://mixed-content-resource", "application/json", "{\"test\":\"data\"}"));
    }

    private static CallToolResult error() {
        return CallToolResult.builder()
                .addTextContent("This tool intentionally returns an error for testing")
                .isError(true)
                .build();
    }

    static CallToolResult progress(McpSyncServerExchange client, CallToolRequest call) {
        if (call.progressToken() == null) {
            return said("nobody listens");
        }
        for (int percent = 0; percent <= 100; percent += 50) {
            client.progressNotification(ProgressNotification.builder(call.progressToken(), percent)
                    .total(100.0)
                    .build());
        }
        return said("done");
    }

    private static CallToolResult log(McpSyncServerExchange client, CallToolRequest call) {
        for (var line : List.of("started", "working", "ended")) {
            client.loggingNotification(
                    LoggingMessageNotification.builder(LoggingLevel.INFO, line).build());
        }
        return said("logged");
    }
}
