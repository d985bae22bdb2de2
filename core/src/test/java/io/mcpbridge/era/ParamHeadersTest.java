package io.mcpbridge.era;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ProtocolException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ParamHeadersTest {
    private static final String SCHEMA = """
        {"type":"object","properties":{
          "region":{"type":"string","x-mcp-header":"Region"},
          "limit":{"type":"integer","x-mcp-header":"Limit"},
          "place":{"type":"object","properties":{"safe":{"type":"boolean","x-mcp-header":"Safe"}}},
          "x-mcp-header":{"type":"string","default":{"x-mcp-header":5}}}}\
        """;

    @Test
    void headersAreReadFromTheArguments() {
        var headers = ParamHeaders.of(SCHEMA);

        assertThat(headers.names()).containsExactly("Mcp-Param-Region", "Mcp-Param-Limit", "Mcp-Param-Safe");
        assertThat(headers.texts("{\"region\":\"größe\",\"limit\":42,\"place\":{\"safe\":true},\"other\":1}"))
                .isEqualTo(Map.of("Mcp-Param-Region", "größe", "Mcp-Param-Limit", "42", "Mcp-Param-Safe", "true"));
        assertThat(headers.texts("{\"region\":null,\"place\":7}")).isEmpty();
        assertThat(headers.texts("{}")).isEmpty();
    }

    @Test
    void schemaWithoutAnnotationsHasNoHeaders() {
        assertThat(ParamHeaders.of("{\"type\":\"object\"}").isEmpty()).isTrue();
    }

    @Test
    void duplicateArgumentsAreRejected() {
        assertThatThrownBy(() -> ParamHeaders.of(SCHEMA).texts("{\"region\":\"a\",\"region\":\"b\"}"))
                .isInstanceOf(ProtocolException.class);
    }

    static Stream<Arguments> wrong() {
        return Stream.of(
                Arguments.argumentSet(
                        "no name", property("\"type\":\"string\",\"x-mcp-header\":\"\""), "a header's name"),
                Arguments.argumentSet(
                        "a name that is no text", property("\"type\":\"string\",\"x-mcp-header\":5"), "'5'"),
                Arguments.argumentSet("a blank", property("\"type\":\"string\",\"x-mcp-header\":\"a b\""), "'a b'"),
                Arguments.argumentSet(
                        "a line break",
                        property("\"type\":\"string\",\"x-mcp-header\":\"a\\r\\nb\""),
                        "a header's name"),
                Arguments.argumentSet(
                        "a number",
                        property("\"type\":\"number\",\"x-mcp-header\":\"A\""),
                        "string, integer or boolean"),
                Arguments.argumentSet("no type", property("\"x-mcp-header\":\"A\""), "string, integer or boolean"),
                Arguments.argumentSet(
                        "two of one name",
                        "{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"},"
                                + "\"b\":{\"type\":\"string\",\"x-mcp-header\":\"a\"}}}",
                        "twice"),
                Arguments.argumentSet(
                        "the elements of an array",
                        property("\"type\":\"array\",\"items\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}"),
                        "no single argument"),
                Arguments.argumentSet(
                        "one of several shapes",
                        "{\"anyOf\":[{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}}]}",
                        "no single argument"),
                Arguments.argumentSet(
                        "the whole", "{\"type\":\"string\",\"x-mcp-header\":\"A\"}", "no single argument"));
    }

    private static String property(String schema) {
        return "{\"properties\":{\"a\":{%s}}}".formatted(schema);
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void forbiddenAnnotationsAreRejected(String schema, String words) {
        assertThatThrownBy(() -> ParamHeaders.of(schema))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(words);
    }
}
