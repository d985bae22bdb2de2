package io.mcpbridge.catalog.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.SchemaCheckProvider;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonSchemaCheckProviderTest {
    private final SchemaCheckProvider provider =
            Providers.of(SchemaCheckProvider.class).named("json-schema");

    @Test
    void providerIsFoundByItsName() {
        assertThat(provider).isInstanceOf(JsonSchemaCheckProvider.class);
        assertThat(provider.id().spiVersion()).isEqualTo(SchemaCheckProvider.SPI_VERSION);
    }

    @Test
    void issuesHaveTheirPath() {
        var check = provider.compile(
                "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/$defs/word\"}},\"required\":[\"b\"],"
                        + "\"$defs\":{\"word\":{\"type\":\"string\",\"pattern\":\"^[a-z]+$\"}}}");

        assertThat(check.issues("{\"a\":\"x\",\"b\":1}")).isEmpty();
        assertThat(check.issues("{\"a\":\"X\"}"))
                .anySatisfy(issue -> {
                    assertThat(issue.path()).isEqualTo("/a");
                    assertThat(issue.message()).contains("^[a-z]+$");
                })
                .anySatisfy(issue -> {
                    assertThat(issue.path()).isEmpty();
                    assertThat(issue.message()).contains("'b'");
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"$ref\":\"#/$defs/nowhere\"}",
                "{\"$ref\":\"http://127.0.0.1:1/schema.json\"}",
                "{\"$ref\":\"file:///etc/hostname\"}",
                "{\"$schema\":\"http://127.0.0.1:1/dialect\"}",
                "{\"pattern\":\"(\"}",
                "{\"properties\":{\"n\":{\"minimum\":\"3\"}}}",
                "no json"
            })
    void schemaThatCannotBeCheckedIsRejected(String schema) {
        assertThatThrownBy(() -> provider.compile(schema)).isInstanceOf(ConfigurationException.class);
    }

    @ParameterizedTest(name = "{0} is not a schema")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"type\":\"strnig\"} | /type: is \"strnig\" but must be one of [\"array\", \"boolean\", \"integer\","
                        + " \"null\", \"number\", \"object\", \"string\"]",
                "{\"properties\":{\"a\":{\"type\":7}}} | /properties/a/type: is 7 but must be one of [\"array\"",
                "{\"properties\":{\"a\":{\"type\":[\"string\",\"nil\"]}}} | invalid: /properties/a/type/1: is \"nil\" but"
                        + " must be one of ",
                "{\"type\":[\"string\",\"string\"]} | /type: is [\"string\",\"string\"] but must have only unique"
                        + " items",
                "{\"properties\":{\"type\":\"strnig\"}} | /properties/type: is \"strnig\" but must be of type [object,"
                        + " boolean]",
                "{\"required\":\"n\"} | /required: is \"n\" but must be of type array",
                "{\"minimum\":\"3\"} | /minimum: is \"3\" but must be of type number",
                "{\"minLength\":-1} | /minLength: is -1 but must have a minimum value of 0",
                "{\"properties\":[1]} | /properties: is [1] but must be of type object",
                "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"required\":\"n\"} | /required: is \"n\""
                        + " but must be of type array",
                "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"pattern\":\"(\"} | /pattern: is \"(\" but"
                        + " must be a regular",
                "{\"maximum\":1E999999999} | /maximum: must be a number with an exponent from -1000 to 1000",
            })
    void invalidSchemaIsRejected(String schema, String words) {
        assertThatThrownBy(() -> provider.compile(schema))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("the schema is invalid: ")
                .hasMessageContaining(words);
    }

    @ParameterizedTest(name = "{0} is quoted as it was written")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"properties\":{\"a\":{\"pattern\":\"^[a-z$\"}}} | /properties/a/pattern: is \"^[a-z$\" but must be a"
                        + " regular expression that can be read: a '[' is not closed",
                "{\"anyOf\":[{},{\"pattern\":\"^a$\\\\p{Letter}(\"}]} | /anyOf/1/pattern: is \"^a$\\\\p{Letter}(\" but"
                        + " must",
                "{\"pattern\":\"*a\"} | /pattern: is \"*a\" but must be a regular expression that can be read: there"
                        + " is nothing",
                "{\"patternProperties\":{\"(a\":{}}} | /patternProperties/(a: is \"(a\" but must",
            })
    void rejectedPatternIsQuotedAsWritten(String schema, String words) {
        assertThatThrownBy(() -> provider.compile(schema))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("the schema cannot be checked: " + words)
                .hasMessageNotContaining("(?!");
    }

    @ParameterizedTest(name = "{1} matches {0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "true | 1",
                "{} | null",
                "{\"type\":\"integer\"} | 1.0",
                "{\"type\":\"integer\"} | 1e400",
                "{\"type\":\"integer\"} | 0.0",
                "{\"type\":\"number\"} | 1.5",
                "{\"type\":[\"string\",\"null\"]} | null",
                "{\"type\":\"boolean\"} | false",
                "{\"type\":\"array\",\"items\":{\"type\":\"string\"}} | [\"a\"]",
                "{\"items\":{\"type\":\"string\"}} | 5",
                "{\"enum\":[1,\"a\",[1],{\"k\":1.0}]} | {\"k\":1}",
                "{\"enum\":[[1,2]]} | [1,2.0]",
                "{\"const\":null} | null",
                "{\"minimum\":1,\"maximum\":3} | 2",
                "{\"minimum\":1} | \"text\"",
                "{\"exclusiveMinimum\":1,\"exclusiveMaximum\":3} | 1.5",
                "{\"minLength\":1,\"maxLength\":1} | \"\uD83D\uDE00\"",
                "{\"minItems\":1,\"maxItems\":2,\"uniqueItems\":true} | [1,2]",
                "{\"uniqueItems\":true} | 1",
                "{\"uniqueItems\":false} | [1,1]",
                "{\"minProperties\":1,\"maxProperties\":1} | {\"a\":1}",
                "{\"minLength\":9,\"minItems\":9,\"minProperties\":9} | 1",
                "{\"additionalProperties\":false} | 1",
                "{\"properties\":{\"a\":{\"type\":\"string\"}}} | {\"b\":1}",
                "{\"properties\":{\"a\":{\"type\":\"string\"}},\"required\":[\"a\"]} | 7",
                "{\"additionalProperties\":{\"type\":\"integer\"}} | {\"a\":1}",
                "{\"allOf\":[{\"minimum\":1},{\"maximum\":2}]} | 1",
                "{\"anyOf\":[{\"type\":\"string\"},{\"minimum\":1}]} | 1",
                "{\"oneOf\":[{\"type\":\"string\"},{\"type\":\"integer\"}]} | 1",
                "{\"not\":{\"type\":\"string\"}} | 1",
                "{\"title\":\"t\",\"format\":\"date\",\"x-mcp-header\":\"H\"} | \"any\"",
            })
    void validValuesPass(String schema, String value) {
        assertThat(provider.compile(schema).issues(value)).isEmpty();
    }

    @ParameterizedTest(name = "{1} does not match {0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "false | 1",
                "{\"type\":\"integer\"} | 1.5",
                "{\"type\":\"string\"} | {}",
                "{\"type\":\"string\"} | []",
                "{\"type\":\"string\"} | true",
                "{\"type\":\"string\"} | null",
                "{\"type\":[\"string\",\"null\"]} | 1",
                "{\"type\":\"boolean\"} | \"true\"",
                "{\"enum\":[1,[1,2],{\"a\":1}]} | {\"a\":2}",
                "{\"enum\":[1,[1,2],{\"a\":1}]} | [1]",
                "{\"enum\":[1,[1,2],{\"a\":1}]} | [1,3]",
                "{\"enum\":[1,[1,2],{\"a\":1}]} | {\"b\":1}",
                "{\"const\":null} | 0",
                "{\"const\":1} | null",
                "{\"minimum\":1} | 0",
                "{\"maximum\":1} | 2",
                "{\"exclusiveMinimum\":1} | 1",
                "{\"exclusiveMaximum\":1} | 1.0",
                "{\"minLength\":2} | \"\uD83D\uDE00\"",
                "{\"maxLength\":1} | \"ab\"",
                "{\"minItems\":1} | []",
                "{\"maxItems\":1} | [1,2]",
                "{\"uniqueItems\":true} | [1,1.0]",
                "{\"minProperties\":1} | {}",
                "{\"maxProperties\":0} | {\"a\":1}",
                "{\"required\":[\"a\"]} | {}",
                "{\"properties\":{\"a/~b\":{\"type\":\"string\"}}} | {\"a/~b\":1}",
                "{\"items\":{\"type\":\"string\"}} | [\"a\",1]",
                "{\"anyOf\":[{\"type\":\"string\"},{\"minimum\":1}]} | 0",
                "{\"oneOf\":[{\"type\":\"integer\"},{\"minimum\":1}]} | 1",
                "{\"not\":{\"type\":\"string\"}} | \"a\"",
            })
    void invalidValuesHaveAnIssue(String schema, String value) {
        assertThat(provider.compile(schema).issues(value)).isNotEmpty();
    }

    @ParameterizedTest(name = "{1} matches {0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":\"integer\"} | 1.0",
                "{\"type\":\"integer\"} | 1e400",
                "{\"multipleOf\":0.01} | 4.35",
                "{\"multipleOf\":1e-9} | 12345678901234567890.123456789",
                "{\"const\":10} | 1e1",
            })
    void numbersAreCheckedExactly(String schema, String value) {
        assertThat(provider.compile(schema).issues(value)).isEmpty();
    }

    @ParameterizedTest(name = "{1} does not match {0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"multipleOf\":3} | 1E999 | must be multiple of 3",
                "{\"maximum\":9007199254740992} | 9007199254740993 | must have a maximum value of 9007199254740992",
                "{\"type\":\"integer\"} | 1E999999999 | must be a number with an exponent from -1000 to 1000",
                "{\"multipleOf\":0.01} | 1E-999999999 | must be a number with an exponent from -1000 to 1000",
                "{\"type\":\"integer\"} | 1E9999999999 | cannot be read",
            })
    @Timeout(60)
    void invalidNumbersAreReported(String schema, String value, String words) {
        assertThat(provider.compile(schema).issues(value))
                .singleElement()
                .asString()
                .contains(words);
    }

    @Test
    void numberOutOfRangeHasItsPath() {
        assertThat(provider.compile("{}").issues("{\"a/b\":[1,1E2000]}"))
                .singleElement()
                .hasToString("/a~1b/1: must be a number with an exponent from -1000 to 1000, but is 1E+2000");
    }

    @Test
    void issuesAreInEnglishInEveryLocale() {
        var usual = Locale.getDefault();
        try {
            Locale.setDefault(Locale.GERMAN);

            assertThat(provider.compile("{\"type\":\"integer\"}").issues("\"a\""))
                    .singleElement()
                    .hasToString("string found, integer expected");
        } finally {
            Locale.setDefault(usual);
        }
    }
}
