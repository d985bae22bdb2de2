package io.mcpbridge.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ToolResultTest {
    private static final String FORECAST = """
            {"place":"Oslo","sky":"CLOUDY","high":21,"exact":0.10,"dry":true,"day":"2026-07-28",\
            "hours":[{"at":1}],"names":["a"],"codes":[7],"notes":{"n":{"at":2}},"more":1}""";

    enum Sky {
        CLEAR,
        CLOUDY
    }

    record Hour(int at) {
        Hour {
            if (at < 0) {
                throw new IllegalArgumentException("an hour is at least 0");
            }
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // Arrays are what is read here.
    record Forecast(
            String place,
            Sky sky,
            byte high,
            BigDecimal exact,
            boolean dry,
            LocalDate day,
            List<Hour> hours,
            Set<String> names,
            int[] codes,
            Map<String, Hour> notes,
            Optional<String> warning) {}

    record AnyValue(Object value) {}

    record AnyMap(Map<Integer, String> value) {}

    record AnyType<T>(T value) {}

    interface Writer {
        String write(Object value) throws IOException;
    }

    static Stream<Arguments> libraries() {
        Writer jackson2 = new com.fasterxml.jackson.databind.ObjectMapper()::writeValueAsString;
        Writer jackson3 = new tools.jackson.databind.ObjectMapper()::writeValueAsString;
        Writer gson = new Gson()::toJson;
        return Stream.of(
                Arguments.of("Jackson 2", jackson2), Arguments.of("Jackson 3", jackson3), Arguments.of("Gson", gson));
    }

    private static ToolResult result(String json) {
        return ToolResult.parse("forecast", json, "id", Duration.ofNanos(1_000_001));
    }

    private static ToolResult structured(String json) {
        return result("{\"content\":[],\"structuredContent\":" + json + "}");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("libraries")
    void librariesWriteTheComponentsAndNothingElse(String name, Writer library) throws IOException {
        var structured = """
                {"large":9007199254740993,"huge":123456789012345678901234567890,"exact":0.10,"list":[1,[true,"<ü>"]]}""";
        var block =
                "{\"type\":\"resource\",\"resource\":{\"uri\":\"a:b\",\"text\":\"t\"},\"annotations\":{\"priority\":0.5}}";
        var result = result(
                "{\"content\":[{\"type\":\"text\",\"text\":\"hi\"},%s],\"structuredContent\":%s,\"isError\":true,\"_meta\":{\"a/b\":[1]},\"vendor\":2}"
                        .formatted(block, structured));

        var written = library.write(result);

        assertThat(Json.parse(written).value())
                .as(name)
                .isEqualTo(Json.parse("""
                        {"toolName":"forecast","content":[{"type":"text","text":"hi"},%s],"structuredContent":%s,\
                        "isError":true,"meta":{"a/b":[1]},"otherMembers":{"vendor":2},"correlationId":"id","durationMillis":2}""".formatted(block, structured)).value());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("libraries")
    void librariesWriteAnEmptyResult(String name, Writer library) throws IOException {
        var written = Json.parse(library.write(result("{}"))).asMap();

        assertThat(written)
                .as(name)
                .containsEntry("content", List.of())
                .containsEntry("isError", false)
                .containsEntry("meta", Map.of());
        assertThat(written.get("structuredContent")).isNull();
    }

    @Test
    void listsOfAResultAreImmutable() {
        var result = result("{\"content\":[{\"type\":\"text\",\"text\":\"a\"}],\"_meta\":{\"a\":1}}");

        assertThatThrownBy(() -> result.content().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> result.meta().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void partsHaveTypes() {
        var result = result("{\"content\":[{\"type\":\"text\",\"text\":\"a\",\"extra\":null},7,"
                + "{\"type\":\"image\",\"data\":\"\",\"mimeType\":\"image/png\"},{\"type\":\"text\",\"text\":\"b\"}]}");

        assertThat(result.text()).isEqualTo("a\nb");
        assertThat(result.blocks())
                .containsExactly(new Content.Text("a"), new Content.Image("", "image/png"), new Content.Text("b"));
        assertThat(result.content().get(0)).containsKey("extra");
        assertThat(result.duration()).isEqualTo(Duration.ofMillis(2));
        assertThat(result).hasToString("result of forecast (ok, 3 blocks)");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"content":[]}
            {"content":[{"type":"text","text":"a"}],"structuredContent":[1.50],"isError":true,"_meta":{"a":null},"vendor/cost":{"cents":3}}
            """)
    void wholeResultIsJson(String json) {
        assertThat(result(json).json().text()).isEqualTo(json);
    }

    @Test
    void resultTypeIsNotAMember() {
        assertThat(result("{\"resultType\":\"complete\",\"content\":[]}").json().text())
                .isEqualTo("{\"content\":[]}");
    }

    @Test
    void structuredContentBecomesARecord() {
        var forecast = structured(FORECAST).as(Forecast.class);

        assertThat(forecast.place()).isEqualTo("Oslo");
        assertThat(forecast.sky()).isEqualTo(Sky.CLOUDY);
        assertThat(forecast.high()).isEqualTo((byte) 21);
        assertThat(forecast.exact()).isEqualTo(new BigDecimal("0.10"));
        assertThat(forecast.dry()).isTrue();
        assertThat(forecast.day()).isEqualTo(LocalDate.of(2026, 7, 28));
        assertThat(forecast.hours()).containsExactly(new Hour(1));
        assertThat(forecast.names()).containsExactly("a");
        assertThat(forecast.codes()).containsExactly(7);
        assertThat(forecast.notes()).containsExactly(Map.entry("n", new Hour(2)));
        assertThat(forecast.warning()).isEmpty();
    }

    @Test
    void jsonObjectInTheTextBecomesARecord() {
        var result = result("{\"content\":[{\"type\":\"text\",\"text\":\" {\\\"at\\\": 3}\"}]}");

        assertThat(result.as(Hour.class)).isEqualTo(new Hour(3));
    }

    @Test
    void nullOfAnOptionalComponentIsEmpty() {
        var forecast = structured(FORECAST.replace("\"more\"", "\"warning\":null,\"more\""))
                .as(Forecast.class);

        assertThat(forecast.warning()).isEmpty();
    }

    @ParameterizedTest(name = "{1} for {0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "place":"Oslo",      |                            | /place is missing
            "place":"Oslo"       | "place":null               | /place is missing
            "place":"Oslo"       | "place":7                  | /place must be a string but is a number
            "sky":"CLOUDY"       | "sky":"GREEN"              | /sky must be one of [CLEAR, CLOUDY] but is 'GREEN'
            "sky":"CLOUDY"       | "sky":1                    | /sky must be a string but is a number
            "high":21            | "high":"21"                | /high must be a number but is a string
            "high":21            | "high":1.5                 | /high must be an integer from -128 to 127 but is 1.5
            "high":21            | "high":200                 | /high must be an integer from -128 to 127 but is 200
            "dry":true           | "dry":"yes"                | /dry must be true or false but is a string
            "day":"2026-07-28"   | "day":"today"              | /day Text 'today' could not be parsed at index 0
            "hours":[{"at":1}]   | "hours":{}                 | /hours must be an array but is an object
            "hours":[{"at":1}]   | "hours":[1]                | /hours/0 must be an object but is a number
            "hours":[{"at":1}]   | "hours":[{"at":0},{}]      | /hours/1/at is missing
            "hours":[{"at":1}]   | "hours":[{"at":-1}]        | /hours/0 an hour is at least 0
            "names":["a"]        | "names":[null]             | /names/0 is missing
            "codes":[7]          | "codes":[true]             | /codes/0 must be a number but is true
            "notes":{"n":{"at":2}} | "notes":{"n":[]}         | /notes/n must be an object but is an array
            "notes":{"n":{"at":2}} | "notes":[]               | /notes must be an object but is an array
            """)
    void resultThatDoesNotMatchIsRejected(String part, @Nullable String other, String why) {
        var result = structured(FORECAST.replace(part, other == null ? "" : other));

        assertThatThrownBy(() -> result.as(Forecast.class))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("the result of tool 'forecast' does not fit the record Forecast: " + why)
                .extracting(failed -> ((BridgeException) failed).code())
                .isEqualTo(ErrorCode.UPSTREAM_INVALID);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"structuredContent":[]}  | the result of tool 'forecast' does not fit the record Hour: must be an object but is an array
            {}                        | the record Hour: there is no 'structuredContent', and the text is not a JSON object
            {"content":[{"type":"text","text":"[1]"}]} | the text is not a JSON object
            {"isError":true}          | the result of tool 'forecast', which reports a failure, does not fit
            """)
    void resultWithoutAnObjectIsRejected(String json, String why) {
        assertThatThrownBy(() -> result(json).as(Hour.class))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(why);
    }

    @Test
    void typesWithoutAJsonFormAreRejected() {
        var result = structured("{\"value\":{\"1\":\"a\"}}");

        for (var type : List.of(AnyValue.class, AnyMap.class, AnyType.class)) {
            assertThatThrownBy(() -> result.as(type))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("/value has the type")
                    .hasMessageContaining("no JSON form");
        }
    }

    @Test
    void recordInAClosedPackageIsRejectedWithTheRemedy(@TempDir Path folder) throws Exception {
        var type = closedRecord(folder);

        assertThatThrownBy(() -> structured("{\"at\":1}").as(type))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("add 'opens user.secret to io.mcpbridge.core;' to the module-info of 'user'");
    }

    /** A record of a named module that opens nothing. */
    private static Class<? extends Record> closedRecord(Path folder) throws Exception {
        var module = Files.writeString(folder.resolve("module-info.java"), "module user {}");
        var source = Files.createDirectories(folder.resolve("user/secret")).resolve("Closed.java");
        Files.writeString(source, "package user.secret; record Closed(int at) {}");
        var code = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-d", folder.toString(), module.toString(), source.toString());
        assertThat(code).isZero();
        var boot = ModuleLayer.boot();
        var found = Configuration.resolve(
                ModuleFinder.of(folder), List.of(boot.configuration()), ModuleFinder.of(), Set.of("user"));
        var layer = ModuleLayer.defineModulesWithOneLoader(found, List.of(boot), ClassLoader.getSystemClassLoader())
                .layer();
        return layer.findLoader("user").loadClass("user.secret.Closed").asSubclass(Record.class);
    }
}
