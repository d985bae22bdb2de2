package io.mcpbridge.engine.translation;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.tool.ToolDefinition;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Structured results that are no objects lie in an object for legacy clients, and so do their schemas. */
class LegacyStructuredContentTest {

    private static ToolDefinition tool(String outputSchema) {
        return ToolDefinition.parse("{\"name\":\"t\",\"inputSchema\":{},\"outputSchema\":" + outputSchema + "}");
    }

    static Stream<Arguments> schemas() {
        return Stream.of(
                Arguments.argumentSet("an array", "{\"type\":\"array\"}", "{\"type\":\"array\"}"),
                Arguments.argumentSet("no type", "{\"anyOf\":[{}]}", "{\"anyOf\":[{}]}"),
                Arguments.argumentSet(
                        "itself",
                        "{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}}",
                        "{\"type\":\"array\",\"items\":{\"$ref\":\"#/properties/result\"}}"),
                Arguments.argumentSet(
                        "a part of itself",
                        "{\"items\":[{\"$ref\":\"#/$defs/a\"}],\"$defs\":{\"a\":{\"$dynamicRef\":\"#/$defs/b\"}}}",
                        "{\"items\":[{\"$ref\":\"#/properties/result/$defs/a\"}],"
                                + "\"$defs\":{\"a\":{\"$dynamicRef\":\"#/properties/result/$defs/b\"}}}"),
                Arguments.argumentSet(
                        "other documents and anchors",
                        "{\"anyOf\":[{\"$ref\":\"https://x/y#/z\"},{\"$ref\":\"#anchor\"}]}",
                        "{\"anyOf\":[{\"$ref\":\"https://x/y#/z\"},{\"$ref\":\"#anchor\"}]}"),
                Arguments.argumentSet(
                        "data that looks like a reference",
                        "{\"enum\":[{\"$ref\":\"#\"}],\"properties\":{\"enum\":{\"$ref\":\"#\"}}}",
                        "{\"enum\":[{\"$ref\":\"#\"}],\"properties\":{\"enum\":{\"$ref\":\"#/properties/result\"}}}"),
                Arguments.argumentSet(
                        "an address of its own",
                        "{\"$id\":\"https://x\",\"items\":{\"$ref\":\"#\"}}",
                        "{\"$id\":\"https://x\",\"items\":{\"$ref\":\"#\"}}"));
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void nonObjectSchemaIsWrapped(String schema, String moved) {
        assertThat(LegacyStructuredContent.downgrade(tool(schema)).json().text())
                .isEqualTo("{\"name\":\"t\",\"inputSchema\":{},\"outputSchema\":{\"type\":\"object\","
                        + "\"properties\":{\"result\":" + moved + "},\"required\":[\"result\"]}}");
    }

    @Test
    void booleanPropertySchemasBecomeObjects() {
        var tool = ToolDefinition.parse("{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\",\"properties\":"
                + "{\"a\":true,\"b\":false,\"c\":{\"const\":true}}}}");

        assertThat(LegacyStructuredContent.downgrade(tool).json().text())
                .isEqualTo("{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\",\"properties\":"
                        + "{\"a\":{},\"b\":{\"not\":{}},\"c\":{\"const\":true}}}}");
    }

    @Test
    void otherToolsAreUnchanged() {
        var object = tool("{\"type\":\"object\",\"properties\":{}}");
        var escaped = tool("{\"type\":\"obj\\u0065ct\"}");
        var unstructured = ToolDefinition.parse("{\"name\":\"t\"}");

        assertThat(LegacyStructuredContent.downgrade(object)).isSameAs(object);
        assertThat(LegacyStructuredContent.downgrade(escaped)).isSameAs(escaped);
        assertThat(LegacyStructuredContent.downgrade(unstructured)).isSameAs(unstructured);
    }

    static Stream<Arguments> results() {
        return Stream.of(
                Arguments.argumentSet("an array", "{}", "[1, 2.0]", "{\"result\":[1, 2.0]}"),
                Arguments.argumentSet(
                        "an object of such a tool", "{\"anyOf\":[]}", "{\"a\":1}", "{\"result\":{\"a\":1}}"),
                Arguments.argumentSet("an object", "{\"type\":\"object\"}", "{\"a\":1}", "{\"a\":1}"));
    }

    @ParameterizedTest
    @MethodSource("results")
    void resultIsWrappedLikeItsSchema(String schema, String value, String told) {
        var result = "{\"content\":[],\"structuredContent\":" + value + "}";
        var outcome = LegacyStructuredContent.downgrade(
                Outcome.answered(Response.result(MessageId.of(1), result)), () -> Optional.of(tool(schema)));

        assertThat(answer(outcome).raw(MessageField.STRUCTURED_CONTENT)).contains(told);
    }

    @Test
    void nonObjectResultOfAnUnknownToolIsWrapped() {
        var outcome = LegacyStructuredContent.downgrade(
                Outcome.answered(Response.result(MessageId.of(1), "{\"structuredContent\":\"x\"}")), Optional::empty);

        assertThat(answer(outcome).raw(MessageField.STRUCTURED_CONTENT)).contains("{\"result\":\"x\"}");
    }

    private static Response answer(Outcome outcome) {
        return ((Outcome.Answered) outcome).response();
    }

    @Test
    void unstructuredResultsAndErrorsAreUnchanged() {
        var answer = Outcome.answered(Response.error(MessageId.of(1), -32602, "no"));

        assertThat(LegacyStructuredContent.downgrade(answer, Optional::empty)).isSameAs(answer);
    }
}
