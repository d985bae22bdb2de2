package io.mcpbridge.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.tool.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tools whose arguments are Java records. */
@Timeout(60)
class RecordsTest {

    /** As small as they come. */
    record Greeting(@Description("Who is greeted") String name, Optional<Integer> times) {
        Greeting {
            if (name.isBlank()) {
                throw new IllegalArgumentException("the name is blank; give one");
            }
        }
    }

    enum Colour {
        RED,
        GREEN
    }

    record Point(double x, double y) {}

    @SuppressWarnings("ArrayRecordComponent") // Arrays are what is read here.
    record Everything(
            String text,
            int number,
            long large,
            BigInteger huge,
            BigDecimal exact,
            boolean flag,
            Colour colour,
            URI place,
            Duration span,
            LocalDate day,
            Point point,
            List<Point> points,
            Set<String> words,
            int[] numbers,
            Map<String, Point> named,
            Optional<List<String>> more) {}

    record Strange(Object anything) {}

    record Generic(List<? extends Number> numbers) {}

    record OddMap(Map<Integer, String> map) {}

    record Endless(Optional<Endless> inner) {}

    record Nothing() {}

    record Silent(int number) {
        Silent {
            if (number < 0) {
                throw new IllegalArgumentException();
            }
        }
    }

    record Loud(String text) {
        @Override
        public String text() {
            throw new IllegalStateException("not readable");
        }
    }

    private static ServeBench bench() {
        var bench = new ServeBench();
        bench.server()
                .registerTool(
                        "greet",
                        ToolConfig.DEFAULTS,
                        Greeting.class,
                        (greeting, call) -> greeting.name() + greeting.times().orElse(1));
        return bench;
    }

    @Test
    void schemaIsDerived() throws Exception {
        try (var bench = bench()) {
            assertThat(bench.legacy().ask("tools/list", ""))
                    .contains("\"inputSchema\":{\"type\":\"object\",\"properties\":{\"name\":{\"description\":\"Who is"
                            + " greeted\",\"type\":\"string\"},\"times\":{")
                    .contains("\"required\":[\"name\"],\"additionalProperties\":false}");
        }
    }

    @Test
    void argumentsBecomeARecord() throws Exception {
        try (var bench = bench()) {
            var client = bench.legacy();

            assertThat(client.envelope("greet", "{\"name\":\"Ada\",\"times\":3}"))
                    .contains("\"data\":\"Ada3\"");
            assertThat(client.envelope("greet", "{\"name\":\"Ada\"}")).contains("\"data\":\"Ada1\"");
        }
    }

    @Test
    void invalidArgumentsAreRejected() throws Exception {
        try (var bench = bench()) {
            var client = bench.legacy();

            assertThat(client.envelope("greet", "{}")).contains("INVALID_PARAMS", "required property 'name' not found");
            assertThat(client.envelope("greet", "{\"name\":\"a\",\"nmae\":\"b\"}"))
                    .contains("property 'nmae' is not defined in the schema");
            assertThat(client.envelope("greet", "{\"name\":\"a\",\"times\":3000000000}"))
                    .contains("/times", "must have a maximum value of 2147483647");
            assertThat(client.envelope("greet", "{\"name\":\" \"}")).contains("the name is blank; give one");
            assertThat(bench.records()).hasSize(4);
        }
    }

    @Test
    void schemaTogetherWithARecordIsRejected() {
        try (var bench = new ServeBench()) {
            assertThatThrownBy(() -> bench.server()
                            .registerTool("greet", ServeBench.PLAIN, Greeting.class, (greeting, call) -> 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("inputSchema must be left out");
        }
    }

    private static final String EVERYTHING = """
        {"text":"t","number":1,"large":9007199254740993,"huge":123456789012345678901234567890,"exact":0.10,"flag":true,\
        "colour":"GREEN","place":"unix:/a","span":"PT1S","day":"2026-07-28","point":{"x":1,"y":2.5},\
        "points":[{"x":0,"y":0}],"words":["a","b"],"numbers":[1,2],"named":{"a":{"x":3,"y":4}},"more":["m"]}\
        """;

    @Test
    void everyKindOfComponentIsRead() {
        var read = RecordSchema.read(Everything.class, Json.parse(EVERYTHING).asMap());

        assertThat(read.huge()).isEqualTo(new BigInteger("123456789012345678901234567890"));
        assertThat(read.large()).isEqualTo(9007199254740993L);
        assertThat(read.exact()).isEqualTo(new BigDecimal("0.10"));
        assertThat(read.flag()).isTrue();
        assertThat(read.colour()).isEqualTo(Colour.GREEN);
        assertThat(read.place()).isEqualTo(URI.create("unix:/a"));
        assertThat(read.span()).isEqualTo(Duration.ofSeconds(1));
        assertThat(read.day()).isEqualTo(LocalDate.of(2026, 7, 28));
        assertThat(read.points()).containsExactly(new Point(0, 0));
        assertThat(read.words()).containsExactly("a", "b");
        assertThat(read.numbers()).containsExactly(1, 2);
        assertThat(read.named()).containsEntry("a", new Point(3, 4));
        assertThat(read.more()).contains(List.of("m"));
        assertThat(Json.of(Map.of("it", PlainValuesOf.map(read))).text())
                .contains("\"points\":[{\"x\":0.0,\"y\":0.0}]");
    }

    /** Narrows what is returned. */
    private static final class PlainValuesOf {
        static Map<?, ?> map(Record record) {
            return (Map<?, ?>) java.util.Objects.requireNonNull(PlainValues.of(record));
        }
    }

    @Test
    void everyKindOfComponentHasASchema() {
        assertThat(RecordSchema.of(Everything.class))
                .contains("\"colour\":{\"type\":\"string\",\"enum\":[\"RED\",\"GREEN\"]}")
                .contains("\"huge\":{\"type\":\"integer\"}")
                .contains("\"exact\":{\"type\":\"number\"}")
                .contains("\"flag\":{\"type\":\"boolean\"}");
        assertThat(RecordSchema.of(Nothing.class))
                .isEqualTo("{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}");
    }

    @Test
    void typesWithoutAJsonFormAreRejected() {
        assertThatThrownBy(() -> RecordSchema.of(Strange.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'anything' of")
                .hasMessageContaining("java.lang.Object");
        assertThatThrownBy(() -> RecordSchema.of(Generic.class)).hasMessageContaining("? extends");
        assertThatThrownBy(() -> RecordSchema.of(OddMap.class)).hasMessageContaining("'map' of");
        assertThatThrownBy(() -> RecordSchema.of(Endless.class)).hasMessageContaining("contains itself");
    }

    @Test
    void malformedTextIsRejectedWithItsPath() {
        var odd = EVERYTHING.replace("2026-07-28", "tomorrow");

        assertThatThrownBy(() ->
                        RecordSchema.read(Everything.class, Json.parse(odd).asMap()))
                .hasMessageStartingWith("/day: ")
                .hasMessageContaining("tomorrow");
    }

    @Test
    void numberWithABillionDigitsIsRejected() {
        var odd = EVERYTHING.replace("123456789012345678901234567890", "1e999999999");

        assertThatThrownBy(() ->
                        RecordSchema.read(Everything.class, Json.parse(odd).asMap()))
                .hasMessage("/huge: must have at most 1000 digits");
    }

    @Test
    void recordExceptionWithoutAMessageIsReportedByItsType() {
        assertThatThrownBy(() -> RecordSchema.read(Silent.class, Map.of("number", -1L)))
                .hasMessage("IllegalArgumentException");
    }

    @Test
    void resultsBecomePlainValues() {
        assertThat(PlainValues.of(new Greeting("Ada", Optional.empty()))).isEqualTo(Map.of("name", "Ada"));
        assertThat(PlainValues.of(Optional.of(1))).isEqualTo(1);
        assertThat(PlainValues.of(Optional.empty())).isNull();
        assertThat(PlainValues.of(Path.of("/a/b"))).isEqualTo("/a/b");
        assertThat(PlainValues.of(Instant.EPOCH)).isEqualTo("1970-01-01T00:00:00Z");
        assertThat(ToolHandler.jsonForm(new int[] {1, 2})).isEqualTo(List.of(1, 2));
        assertThat(PlainValues.of(Map.of(1, new Point(1, 2)))).isEqualTo(Map.of("1", Map.of("x", 1.0, "y", 2.0)));
        @Nullable Object nothing = null;
        assertThat(PlainValues.of(nothing)).isNull();
        assertThatThrownBy(() -> PlainValues.of(new Loud("x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot read 'text'");
    }
}
