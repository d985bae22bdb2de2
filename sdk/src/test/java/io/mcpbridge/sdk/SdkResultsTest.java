package io.mcpbridge.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolResult;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.AudioContent;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ResourceLink;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Conversions to types of the SDK. */
class SdkResultsTest {
    private static final String BLOCKS = """
            [{"type":"text","text":"hi","annotations":{"audience":["user"],"priority":0.5},"_meta":{"a":1}},
             {"type":"image","data":"AAAA","mimeType":"image/png"},
             {"type":"audio","data":"AAAA","mimeType":"audio/wav"},
             {"type":"resource","resource":{"uri":"file:///a","mimeType":"text/plain","text":"a"}},
             {"type":"resource_link","uri":"file:///b","name":"b"}]
            """;

    @Test
    void allBlocksHaveTheirTypes() throws IOException {
        var result = SdkResults.toCallToolResult(result("{\"content\":" + BLOCKS + "}"));

        assertThat(result.content())
                .hasExactlyElementsOfTypes(
                        TextContent.class,
                        ImageContent.class,
                        AudioContent.class,
                        EmbeddedResource.class,
                        ResourceLink.class);
        assertThat(((Map<?, ?>) written(result)).get("content"))
                .isEqualTo(McpJsonDefaults.getMapper().readValue(BLOCKS, Object.class));
    }

    @Test
    void allMembersOfAResultAreKept() {
        var result = SdkResults.toCallToolResult(result("""
                {"content":[{"type":"hologram","size":3}],"isError":true,"_meta":{"m":1},"later":[true],
                 "structuredContent":{"exact":0.1234567890123456789,"nothing":null}}
                """));

        assertThat(result.isError()).isTrue();
        assertThat(((TextContent) result.content().get(0)).text()).isEqualTo("{\"type\":\"hologram\",\"size\":3}");
        assertThat(((Map<?, ?>) result.structuredContent()).get("exact"))
                .isEqualTo(new BigDecimal("0.1234567890123456789"));
        assertThat(result.meta())
                .containsEntry("m", 1L)
                .containsEntry(SdkResults.OTHER_MEMBERS, Map.of("later", List.of(true)));
    }

    @Test
    void unknownMembersInsideABlockAreKept() throws IOException {
        var result = SdkResults.toCallToolResult(result("""
                {"content":[
                  {"type":"text","text":"hi","later":null,"annotations":{"audience":["user"],"lang":"en"},"_meta":{"a":1}},
                  {"type":"resource","resource":{"uri":"file:///a","text":"a","etag":"7","_meta":{"b":null}}},
                  {"type":"text","text":"hi","annotations":{"audience":["robot"]}}]}
                """));

        assertThat(written(((TextContent) result.content().get(0)).meta()))
                .isEqualTo(parsed("{\"a\":1,\"%s\":{\"later\":null,\"annotations\":{\"lang\":\"en\"}}}"));
        assertThat(written(((EmbeddedResource) result.content().get(1)).meta()))
                .isEqualTo(parsed("{\"%s\":{\"resource\":{\"etag\":\"7\"}}}"));
        assertThat(((TextContent) result.content().get(2)).text()).contains("\"robot\"");
    }

    @Test
    void unknownMembersInsideADefinitionAreKept() throws IOException {
        var tool = SdkResults.toTool(ToolDefinition.parse("""
                {"name":"t","inputSchema":{"type":"object","default":null},"annotations":{"readOnlyHint":true,"cost":0.1},
                 "icons":[{"src":"data:,a"},{"src":"data:,b","sizes":["1x1"],"mood":"dark"}]}
                """));

        assertThat(tool.annotations().readOnlyHint()).isTrue();
        assertThat(written(tool.meta()))
                .isEqualTo(parsed("{\"%s\":{\"annotations\":{\"cost\":0.1},\"icons\":{\"1\":{\"mood\":\"dark\"}}}}"));
    }

    @Test
    void emptyResultIsConverted() {
        var result = SdkResults.toCallToolResult(result("{}"));

        assertThat(result.content()).isEmpty();
        assertThat(result.structuredContent()).isNull();
        assertThat(result.meta()).isNull();
    }

    @Test
    void allMembersOfADefinitionAreKept() throws IOException {
        var schema = "{\"type\":\"object\",\"$defs\":{\"n\":{\"properties\":{\"next\":{\"$ref\":\"#/$defs/n\"}}}},"
                + "\"properties\":{\"n\":{\"$ref\":\"#/$defs/n\"}},\"x-own\":[1]}";
        var json = "{\"name\":\"t\",\"title\":\"T\",\"description\":\"d\",\"inputSchema\":%s,\"outputSchema\":%s,"
                        .formatted(schema, schema)
                + "\"annotations\":{\"readOnlyHint\":true},\"execution\":{\"taskSupport\":\"optional\"},\"_meta\":{\"m\":1}}";

        var tool = SdkResults.toTool(ToolDefinition.parse(json));

        assertThat(written(tool.inputSchema()))
                .isEqualTo(McpJsonDefaults.getMapper().readValue(schema, Object.class));
        assertThat(tool.outputSchema()).isEqualTo(tool.inputSchema());
        assertThat(tool.annotations().readOnlyHint()).isTrue();
        assertThat(written(tool.meta()))
                .isEqualTo(Map.of(
                        "m", 1, SdkResults.OTHER_MEMBERS, Map.of("execution", Map.of("taskSupport", "optional"))));
    }

    @Test
    void largeSchemaIsConverted() {
        var text = "x".repeat(1 << 20);
        var definition = ToolDefinition.parse(
                "{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\",\"description\":\"%s\"}}".formatted(text));

        assertThat(SdkResults.toTool(definition).inputSchema()).containsEntry("description", text);
    }

    private static Object parsed(String json) throws IOException {
        return McpJsonDefaults.getMapper().readValue(json.formatted(SdkResults.OTHER_MEMBERS), Object.class);
    }

    private static ToolResult result(String json) {
        return ToolResult.parse("t", json, "id", Duration.ZERO);
    }

    /** What the JSON mapper of the SDK writes of a value. */
    private static Object written(Object value) throws IOException {
        var mapper = McpJsonDefaults.getMapper();
        return mapper.readValue(mapper.writeValueAsBytes(value), new TypeRef<Object>() {});
    }
}
