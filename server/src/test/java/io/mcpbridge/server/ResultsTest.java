package io.mcpbridge.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.server.ToolHandler.ToolOutput;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.tool.Content;
import io.mcpbridge.tool.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows B2 and B5: output schemas, and results without an envelope. */
@Timeout(60)
class ResultsTest {
    private static final String DEGREES =
            "{\"type\":\"object\",\"properties\":{\"degrees\":{\"type\":\"integer\"}},\"required\":[\"degrees\"]}";
    private static final ToolConfig ENVELOPED = ServeBench.PLAIN.withOutputSchema(DEGREES);
    private static final ToolConfig BARE = ServeBench.PLAIN.withoutEnvelope();

    record Weather(@Description("In Celsius") int degrees, Optional<String> sky) {}

    @Test
    void b2OutputSchemaDescribesTheEnvelope() throws Exception {
        try (var bench = new ServeBench().with("weather", ENVELOPED, call -> Map.of("degrees", 21))) {
            var client = bench.legacy();

            assertThat(client.ask("tools/list", ""))
                    .contains("\"outputSchema\":{\"type\":\"object\",\"properties\":{\"ok\":{\"type\":\"boolean\"},"
                            + "\"data\":" + DEGREES + ",\"error\":{\"type\":\"object\"}},\"required\":[\"ok\"]}");
            assertThat(client.envelope("weather", "{}")).isEqualTo("{\"ok\":true,\"data\":{\"degrees\":21}}");
        }
    }

    @Test
    void b2OutputSchemaOfARecordIsDerived() throws Exception {
        var config = ServeBench.PLAIN.returning(Weather.class);
        try (var bench = new ServeBench().with("weather", config, call -> new Weather(21, Optional.empty()))) {
            var client = bench.legacy();

            assertThat(client.ask("tools/list", ""))
                    .contains(
                            "\"data\":{\"type\":\"object\",\"properties\":{\"degrees\":{\"description\":\"In Celsius\"")
                    .contains("\"required\":[\"degrees\"],\"additionalProperties\":false}");
            assertThat(client.envelope("weather", "{}")).isEqualTo("{\"ok\":true,\"data\":{\"degrees\":21}}");
        }
    }

    @Test
    void b2InvalidResultIsAToolError() throws Exception {
        try (var bench = new ServeBench().with("weather", ENVELOPED, call -> Map.of("degrees", "warm"))) {
            assertThat(bench.legacy().envelope("weather", "{}"))
                    .isEqualTo(
                            "{\"ok\":false,\"error\":{\"code\":\"HANDLER_ERROR\",\"message\":\"the result does not fit"
                                    + " outputSchema: /data/degrees: string found, integer expected\"}}");
            assertThat(bench.records())
                    .last()
                    .isInstanceOf(ToolExit.class)
                    .asString()
                    .contains("outputSchema");
        }
    }

    @Test
    void b2ReferencesOfAnOutputSchemaKeepTheirTargets() throws Exception {
        var schema =
                "{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/name\"},\"$defs\":{\"name\":{\"type\":\"string\"}}}";
        try (var bench = new ServeBench()
                .with("names", ServeBench.PLAIN.withOutputSchema(schema), call -> List.of("Ada"))
                .with("numbers", ServeBench.PLAIN.withOutputSchema(schema), call -> List.of(1))) {
            var client = bench.legacy();

            assertThat(client.envelope("names", "{}")).isEqualTo("{\"ok\":true,\"data\":[\"Ada\"]}");
            assertThat(client.envelope("numbers", "{}")).contains("/data/0: integer found, string expected");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"no json", "{\"$ref\":\"#/$defs/none\"}"})
    void b2OutputSchemaThatCannotBeCheckedIsRejected(String schema) {
        try (var bench = new ServeBench()) {
            assertThatThrownBy(() -> bench.with("tool", ServeBench.PLAIN.withOutputSchema(schema), call -> 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("outputSchema must be one that can be checked: ");
        }
    }

    @Test
    void b2OutputSchemaWithoutEnvelopeMustDescribeAnObject() {
        try (var bench = new ServeBench()) {
            assertThatThrownBy(() -> bench.with("tool", BARE.withOutputSchema("{\"type\":\"array\"}"), call -> 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("outputSchema must be the JSON Schema of an object, ");
        }
    }

    static Stream<Arguments> bareResults() {
        var text = new Content.Text("hello");
        var image = new Content.Image("aGk=", "image/png");
        return Stream.of(
                Arguments.of("hello", "{\"content\":[{\"type\":\"text\",\"text\":\"hello\"}],\"isError\":false}"),
                Arguments.of(text, "{\"content\":[{\"type\":\"text\",\"text\":\"hello\"}],\"isError\":false}"),
                Arguments.of(
                        List.of(image, new Content.Audio("aGk=", "audio/wav")),
                        "{\"content\":[{\"type\":\"image\",\"data\":\"aGk=\",\"mimeType\":\"image/png\"},"
                                + "{\"type\":\"audio\",\"data\":\"aGk=\",\"mimeType\":\"audio/wav\"}],\"isError\":false}"),
                Arguments.of(
                        Content.resourceLink("file:///notes", "notes"),
                        "{\"content\":[{\"type\":\"resource_link\",\"uri\":\"file:///notes\",\"name\":\"notes\"}],"
                                + "\"isError\":false}"),
                Arguments.of(
                        new Weather(21, Optional.of("clear")),
                        "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"degrees\\\":21,\\\"sky\\\":\\\"clear\\\"}\"}],"
                                + "\"structuredContent\":{\"degrees\":21,\"sky\":\"clear\"},\"isError\":false}"),
                Arguments.of(
                        new ToolOutput(List.of(image), new Weather(21, Optional.empty())),
                        "{\"content\":[{\"type\":\"image\",\"data\":\"aGk=\",\"mimeType\":\"image/png\"}],"
                                + "\"structuredContent\":{\"degrees\":21},\"isError\":false}"),
                Arguments.of(List.of(1, 2), "{\"content\":[{\"type\":\"text\",\"text\":\"[1,2]\"}],\"isError\":false}"),
                Arguments.of(21, "{\"content\":[{\"type\":\"text\",\"text\":\"21\"}],\"isError\":false}"));
    }

    @ParameterizedTest
    @MethodSource("bareResults")
    void b5ResultWithoutEnvelopeIsReturnedUnchanged(Object returned, String result) throws Exception {
        try (var bench = new ServeBench().with("bare", BARE, call -> returned)) {
            assertThat(bench.legacy().call("bare", "{}")).contains("\"result\":" + result);
            assertThat(bench.modern().call("bare", "{}")).contains(result.substring(1, result.length() - 1));
        }
    }

    @Test
    void b5FailureWithoutEnvelopeIsText() throws Exception {
        var failure = Failure.of(ErrorCode.PROVIDER_TIMEOUT, "'slow' timed out");
        try (var bench = new ServeBench()
                .with("throws", BARE, call -> {
                    throw new IllegalStateException("the disk is full");
                })
                .with("slow", BARE, call -> {
                    throw CallException.of(failure);
                })
                .with("checked", ToolConfig.of(DEGREES).withoutEnvelope(), call -> 1)) {
            var client = bench.legacy();

            assertThat(client.call("throws", "{}"))
                    .contains("{\"content\":[{\"type\":\"text\",\"text\":\"the disk is full\"}],\"isError\":true}");
            assertThat(text(client.call("slow", "{}")))
                    .isEqualTo("'slow' timed out {\"code\":\"PROVIDER_TIMEOUT\",\"retryable\":true}");
            assertThat(text(client.call("checked", "{}")))
                    .isEqualTo("schema validation failed {\"issues\":[{\"path\":\"\",\"message\":\"required property"
                            + " 'degrees' not found\"}]}");
        }
    }

    @Test
    void b2OutputSchemaWithoutEnvelopeDescribesTheStructuredContent() throws Exception {
        var config = BARE.withOutputSchema(DEGREES);
        try (var bench = new ServeBench()
                .with("fits", config, call -> new Weather(21, Optional.empty()))
                .with("warm", config, call -> Map.of("degrees", "warm"))
                .with("words", config, call -> "warm")
                .with("list", BARE, call -> new ToolOutput(List.of(), List.of(1)))) {
            var client = bench.legacy();

            assertThat(client.ask("tools/list", "")).contains("\"outputSchema\":" + DEGREES);
            assertThat(client.call("fits", "{}")).contains("\"structuredContent\":{\"degrees\":21},\"isError\":false");
            assertThat(text(client.call("warm", "{}")))
                    .isEqualTo("the result does not fit outputSchema: /degrees: string found, integer expected");
            assertThat(text(client.call("words", "{}")))
                    .isEqualTo("the result does not fit outputSchema: it has no structured content");
            assertThat(text(client.call("list", "{}")))
                    .isEqualTo("structured content must be an object but is [1]; return a record or a map");
        }
    }

    /** The text of the first block of an answer. */
    private static String text(String answer) {
        var result = Json.parse(answer).member("result").orElseThrow();
        var block = result.member("content").orElseThrow().elements().get(0);
        return block.member("text").flatMap(Json::asString).orElseThrow();
    }
}
