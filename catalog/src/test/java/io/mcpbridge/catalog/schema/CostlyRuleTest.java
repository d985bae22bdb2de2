package io.mcpbridge.catalog.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** K2: rules that are few and each look at much. */
@Timeout(60)
class CostlyRuleTest {
    private static final String DRAFT_7 = "\"$schema\":\"http://json-schema.org/draft-07/schema#\",";
    private static final String NUMBERS =
            IntStream.range(0, 200_000).mapToObj(Integer::toString).collect(Collectors.joining(",", "[", "]"));
    private static final String LONG_TEXT = "\"" + "x".repeat(2_000_000) + "\"";
    private static final String OBJECTS = "[" + "{},".repeat(50_000) + "{}]";

    private final JsonSchemaCheckProvider provider = new JsonSchemaCheckProvider();

    /** What is too costly, as name, schema and value. */
    private record Hostile(String name, String schema, String value) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Hostile[] corpus() {
        return new Hostile[] {
            new Hostile("uniqueItems 2,000 times over 200,000 numbers", all(2_000, "\"uniqueItems\":true"), NUMBERS),
            new Hostile("maxLength 20,000 times on a long text", all(20_000, "\"maxLength\":3000000"), LONG_TEXT),
            new Hostile("const 5,000 times of a long array", all(5_000, "\"const\":[1]"), NUMBERS),
            new Hostile(
                    "an enum of 9,000 texts for 50,000 values",
                    "{\"items\":{\"enum\":" + texts("k", 9_000) + "}}",
                    OBJECTS),
            new Hostile(
                    "30,000 required members of 50,000 objects",
                    "{\"items\":{\"required\":" + texts("k", 30_000) + "}}",
                    OBJECTS),
            new Hostile(
                    "20,000 properties of 50,000 objects",
                    "{\"items\":{\"properties\":{" + members("k", 20_000) + "}}}",
                    OBJECTS),
            new Hostile(
                    "propertyNames 5,000 times",
                    all(5_000, "\"propertyNames\":true"),
                    "{" + members("k", 50_000) + "}"),
            new Hostile(
                    "unevaluatedProperties 5,000 times beside as many properties",
                    all(5_000, "\"properties\":{\"k1\":true},\"unevaluatedProperties\":false"),
                    "{" + members("k", 10_000) + "}"),
            new Hostile(
                    "a format on a long text",
                    "{" + DRAFT_7 + "\"format\":\"email\"}",
                    "\"" + "a@".repeat(500_000) + "\""),
            new Hostile(
                    "dependentSchemas 20,000 times on a large object",
                    all(20_000, "\"dependentSchemas\":{}"),
                    "{" + members("k", 50_000) + "}"),
            new Hostile(
                    "dependentRequired with 50,000 names 500 times",
                    often(500, "\"dependentRequired\":{\"k0\":" + texts("k", 50_000) + "}"),
                    "{" + members("k", 50_000) + "}"),
            new Hostile(
                    "dependencies whose mistakes quote 50,000 names each",
                    "{" + DRAFT_7 + "\"dependencies\":{\"k0\":" + texts("j", 50_000) + "}}",
                    "{\"k0\":1}"),
            new Hostile(
                    "a media type that a long text is read by, 2,000 times",
                    "{" + DRAFT_7
                            + all(2_000, "\"contentMediaType\":\"application/json\"")
                                    .substring(1),
                    "\"[" + "1,".repeat(50_000) + "1]\""),
            new Hostile(
                    "patternProperties with 3,000 patterns for 50,000 members",
                    "{\"patternProperties\":{" + members("^k", 3_000) + "}}",
                    "{" + members("k", 50_000) + "}"),
        };
    }

    @DisplayName("K2: costly rules end with their budget")
    @ParameterizedTest(name = "K2: {0}")
    @MethodSource("corpus")
    void k2CostlyRulesEndWithTheirBudget(Hostile hostile) {
        var issues = provider.compile(hostile.schema()).issues(hostile.value());

        assertThat(issues).singleElement().asString().contains("cannot be checked, since the schema costs too much");
    }

    /** Rules that make many mistakes, or mistakes that quote much, as name, the rule and the value. */
    static Hostile[] mistaken() {
        var much = "\"title\":\"" + "x".repeat(100_000) + "\"";
        return new Hostile[] {
            new Hostile("dependentRequired", "\"dependentRequired\":{\"a\":" + texts("k", 20_000) + "}", "{\"a\":1}"),
            new Hostile("required", "\"required\":" + texts("k", 20_000), "{}"),
            new Hostile("additionalProperties", "\"additionalProperties\":false", "{" + members("k", 20_000) + "}"),
            new Hostile("not", "\"not\":{" + much + "}", "1"),
            new Hostile("contains", "\"contains\":{\"type\":\"string\"," + much + "}", "[1]"),
            new Hostile("const", "\"const\":\"" + "x".repeat(100_000) + "\"", "1"),
            new Hostile("pattern", "\"pattern\":\"" + "x".repeat(19_000) + "\"", "\"\""),
        };
    }

    @DisplayName("K2: discarded issues count against the budget")
    @ParameterizedTest(name = "K2: {0}")
    @MethodSource("mistaken")
    void k2DiscardedIssuesCountAgainstTheBudget(Hostile hostile) {
        for (var holder : List.of("\"if\":{%s}", "\"not\":{\"not\":{\"not\":{%s}}}", "\"anyOf\":[{%s},true]")) {
            var schema = often(8_000, holder.formatted(hostile.schema()));

            var issues = provider.compile(schema).issues(hostile.value());

            assertThat(issues).as(holder).singleElement().asString().contains("costs too much", "20,000,000 visits");
        }
    }

    @ParameterizedTest(name = "{0} in hostile numbers")
    @ValueSource(
            strings = {
                "\"type\":\"object\"",
                "\"maxProperties\":1",
                "\"minProperties\":100000",
                "\"properties\":{\"k1\":false}",
                "\"allOf\":[{\"required\":[\"j\"]}]",
                "\"anyOf\":[false,false]",
                "\"oneOf\":[true,true]",
                "\"default\":1"
            })
    void rulesOnTheSizeOfAValueAreCheap(String rule) {
        var value = "{" + members("k", 50_000) + "}";

        for (var holder : List.of("\"if\":{%s}", "\"not\":{\"not\":{%s}}", "\"anyOf\":[{%s},true]")) {
            var check = provider.compile(often(8_000, holder.formatted(rule)));

            assertThat(check.issues(value)).as(holder).hasSizeLessThan(100_000);
        }
    }

    @ParameterizedTest(name = "{1} breaks {0} and no more")
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"if\":{\"required\":[\"a\"]},\"else\":{\"required\":[\"b\"]}} | {} | 'b'",
                "{\"anyOf\":[{\"required\":[\"a\"]},{\"required\":[\"a\"]}]} | {} | 'a'",
                "{\"dependentRequired\":{\"a\":[\"b\"],\"c\":[\"d\"]}} | {\"a\":1} | 'b'",
                "{\"propertyNames\":{\"maxLength\":1}} | {\"ab\":1} | 'ab'",
            })
    void issuesOfCostlyRulesAreReported(String schema, String value, String words) {
        assertThat(provider.compile(schema).issues(value))
                .isNotEmpty()
                .allSatisfy(issue -> assertThat(issue.toString()).contains(words));
    }

    @DisplayName("K2: values with equal hashes are compared")
    @Test
    void k2ValuesWithEqualHashesAreCompared() {
        var colliding = IntStream.range(0, 1 << 17)
                .mapToObj(i -> IntStream.range(0, 17)
                        .mapToObj(bit -> (i >> bit & 1) == 0 ? "Aa" : "BB")
                        .collect(Collectors.joining("", "\"", "\"")))
                .collect(Collectors.joining(","));
        var check = provider.compile("{\"uniqueItems\":true}");

        assertThat(check.issues("[" + colliding + "]")).isEmpty();
        assertThat(check.issues("[" + colliding + ",\"" + "Aa".repeat(17) + "\"]"))
                .hasSize(1);
    }

    @DisplayName("K2: an oversized enum is rejected")
    @Test
    void k2OversizedEnumIsRejected() {
        assertThatThrownBy(() -> provider.compile("{\"enum\":" + texts("k", 10_001) + "}"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageEndingWith("the schema cannot be checked: an 'enum' has 10,001 values but may have 10,000");
        assertThatThrownBy(() -> provider.compile("{\"properties\":{\"a\":{\"enum\":" + texts("k", 10_001) + "}}}"))
                .hasMessageEndingWith("the schema cannot be checked: an 'enum' has 10,001 values but may have 10,000");
    }

    @ParameterizedTest(name = "{1} matches {0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"uniqueItems\":true} | [1,2,\"1\",[1],[1,2],{\"a\":1},null]",
                "{\"uniqueItems\":false} | [1,1]",
                "{\"uniqueItems\":true} | 5",
                "{\"enum\":[1,{\"a\":[2]}]} | {\"a\":[2.0]}",
                "{\"allOf\":[{\"properties\":{\"a\":true}}],\"unevaluatedProperties\":false} | {\"a\":1}",
                "{\"prefixItems\":[true],\"unevaluatedItems\":false} | [1]",
                "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"format\":\"date\"} | \"2026-07-28\"",
            })
    void ordinaryRulesKeepTheirMeaning(String schema, String value) {
        assertThat(provider.compile(schema).issues(value)).isEmpty();
    }

    @ParameterizedTest(name = "{1} does not match {0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"uniqueItems\":true} | [1,2,1.0] | unique",
                "{\"uniqueItems\":true} | [{\"a\":1,\"b\":2},{\"b\":2,\"a\":1}] | unique",
                "{\"allOf\":[{\"properties\":{\"a\":true}}],\"unevaluatedProperties\":false} | {\"b\":1} | 'b'",
                "{\"prefixItems\":[true],\"unevaluatedItems\":false} | [1,2] | unevaluated",
                "{\"const\":{\"a\":[1]}} | {\"a\":[2]} | must be the constant value '{\"a\":[1]}'",
                "{\"enum\":[{\"a\":[2]}]} | {\"a\":[2.1]} | [{\"a\":[2]}]",
                "{\"multipleOf\":3} | 9007199254740994 | multiple of 3",
                "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"format\":\"date\"} | \"28.7.\" | date",
            })
    void ordinaryMistakesAreReported(String schema, String value, String words) {
        assertThat(provider.compile(schema).issues(value))
                .singleElement()
                .asString()
                .contains(words);
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 20_000})
    void ordinaryRecordsStayWithinTheBudget(int count) {
        var check = provider.compile(
                "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"type\":\"object\","
                        + "\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":\"integer\"},\"kind\":{\"enum\":[\"a\",\"b\"]}}}}");
        var value = IntStream.range(0, count)
                .mapToObj("{\"id\":%d,\"kind\":\"a\"}"::formatted)
                .collect(Collectors.joining(",", "[", "]"));

        assertThat(check.issues(value)).isEmpty();
    }

    private static String all(int times, String rule) {
        return "{\"allOf\":[" + ("{" + rule + "},").repeat(times) + "{}]}";
    }

    /** A rule that is looked at so often though it is written once. */
    private static String often(int times, String rule) {
        var schema = new StringBuilder("{\"$defs\":{\"d0\":{").append(rule).append('}');
        int level = 0;
        for (long reached = 1; reached < times; reached *= 20) {
            var reference = "{\"$ref\":\"#/$defs/d%d\"},".formatted(level++);
            schema.append(",\"d%d\":{\"allOf\":[%strue]}".formatted(level, reference.repeat(20)));
        }
        return schema.append("},\"$ref\":\"#/$defs/d%d\"}".formatted(level)).toString();
    }

    private static String texts(String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "\"" + prefix + i + "\"")
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static String members(String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "\"" + prefix + i + "\":true")
                .collect(Collectors.joining(","));
    }
}
