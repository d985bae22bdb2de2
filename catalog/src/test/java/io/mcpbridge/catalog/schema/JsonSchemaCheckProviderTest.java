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
    void isFoundByItsName() {
        assertThat(provider).isInstanceOf(JsonSchemaCheckProvider.class);
        assertThat(provider.spiVersion()).isEqualTo(SchemaCheckProvider.SPI_VERSION);
    }

    @Test
    void issuesHaveTheirPlace() {
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
    void aSchemaThatCannotBeCheckedIsRefused(String schema) {
        assertThatThrownBy(() -> provider.compile(schema)).isInstanceOf(ConfigurationException.class);
    }

    @ParameterizedTest(name = "{0} is no schema")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"type\":\"strnig\"} | /type: is \"strnig\" but must be one of [\"array\", \"boolean\", \"integer\","
                        + " \"null\", \"number\", \"object\", \"string\"]",
                "{\"properties\":{\"a\":{\"type\":7}}} | /properties/a/type: is 7 but must be one of [\"array\"",
                "{\"properties\":{\"a\":{\"type\":[\"string\",\"nil\"]}}} | none: /properties/a/type/1: is \"nil\" but"
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
    void whatItsDialectDoesNotAllowIsRefused(String schema, String words) {
        assertThatThrownBy(() -> provider.compile(schema))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("the schema is none: ")
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
    void aPatternThatIsRefusedIsQuotedAsItWasWritten(String schema, String words) {
        assertThatThrownBy(() -> provider.compile(schema))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("the schema cannot be checked: " + words)
                .hasMessageNotContaining("(?!");
    }

    @ParameterizedTest(name = "{1} fits {0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":\"integer\"} | 1.0",
                "{\"type\":\"integer\"} | 1e400",
                "{\"multipleOf\":0.01} | 4.35",
                "{\"multipleOf\":1e-9} | 12345678901234567890.123456789",
                "{\"const\":10} | 1e1",
            })
    void numbersAreThoseThatWereWritten(String schema, String value) {
        assertThat(provider.compile(schema).issues(value)).isEmpty();
    }

    @ParameterizedTest(name = "{1} does not fit {0}")
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
    void numbersThatDoNotFitAreTold(String schema, String value, String words) {
        assertThat(provider.compile(schema).issues(value))
                .singleElement()
                .asString()
                .contains(words);
    }

    @Test
    void aNumberOutOfBoundsHasItsPlace() {
        assertThat(provider.compile("{}").issues("{\"a/b\":[1,1E2000]}"))
                .singleElement()
                .hasToString("/a~1b/1: must be a number with an exponent from -1000 to 1000, but is 1E+2000");
    }

    @Test
    void issuesAreInEnglishWhateverTheLanguageOfTheMachine() {
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
