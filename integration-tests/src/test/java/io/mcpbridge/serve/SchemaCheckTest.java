package io.mcpbridge.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.serve.schema.MinimalSchemaCheckProvider;
import io.mcpbridge.spi.SchemaCheckProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The check that needs no library. */
class SchemaCheckTest {
    private final SchemaCheckProvider minimal = new MinimalSchemaCheckProvider();

    @ParameterizedTest(name = "{1} fits {0}")
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
    void whatFitsPasses(String schema, String value) {
        assertThat(minimal.compile(schema).issues(value)).isEmpty();
    }

    @ParameterizedTest(name = "{1} does not fit {0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "false | 1 | is not allowed here",
                "{\"type\":\"integer\"} | 1.5 | must be integer, but is number",
                "{\"type\":\"string\"} | {} | must be string, but is object",
                "{\"type\":\"string\"} | [] | must be string, but is array",
                "{\"type\":\"string\"} | true | must be string, but is boolean",
                "{\"type\":\"string\"} | null | must be string, but is null",
                "{\"type\":[\"string\",\"null\"]} | 1 | must be string or null, but is integer",
                "{\"type\":\"boolean\"} | \"true\" | must be boolean, but is string",
                "{\"enum\":[1,[1,2],{\"a\":1}]} | {\"a\":2} | must be one of [1,[1,2],{\"a\":1}]",
                "{\"enum\":[1,[1,2],{\"a\":1}]} | [1] | must be one of [1,[1,2],{\"a\":1}]",
                "{\"enum\":[1,[1,2],{\"a\":1}]} | [1,3] | must be one of [1,[1,2],{\"a\":1}]",
                "{\"enum\":[1,[1,2],{\"a\":1}]} | {\"b\":1} | must be one of [1,[1,2],{\"a\":1}]",
                "{\"const\":null} | 0 | must be null",
                "{\"const\":1} | null | must be 1",
                "{\"minimum\":1} | 0 | must be at least 1",
                "{\"maximum\":1} | 2 | must be at most 1",
                "{\"exclusiveMinimum\":1} | 1 | must be more than 1",
                "{\"exclusiveMaximum\":1} | 1.0 | must be less than 1",
                "{\"minLength\":2} | \"\uD83D\uDE00\" | must have at least 2 characters",
                "{\"maxLength\":1} | \"ab\" | must have at most 1 characters",
                "{\"minItems\":1} | [] | must have at least 1 elements",
                "{\"maxItems\":1} | [1,2] | must have at most 1 elements",
                "{\"uniqueItems\":true} | [1,1.0] | must have no element twice",
                "{\"minProperties\":1} | {} | must have at least 1 members",
                "{\"maxProperties\":0} | {\"a\":1} | must have at most 0 members",
                "{\"required\":[\"a\"]} | {} | needs 'a'",
                "{\"properties\":{\"a/~b\":{\"type\":\"string\"}}} | {\"a/~b\":1} | /a~1~0b: must be string, but is"
                        + " integer",
                "{\"items\":{\"type\":\"string\"}} | [\"a\",1] | /1: must be string, but is integer",
                "{\"anyOf\":[{\"type\":\"string\"},{\"minimum\":1}]} | 0 | must fit one of 'anyOf'",
                "{\"oneOf\":[{\"type\":\"integer\"},{\"minimum\":1}]} | 1 | must fit exactly one of 'oneOf'",
                "{\"not\":{\"type\":\"string\"}} | \"a\" | must not fit 'not'",
            })
    void whatDoesNotFitIsTold(String schema, String value, String issue) {
        assertThat(minimal.compile(schema).issues(value)).singleElement().hasToString(issue);
    }

    @ParameterizedTest(name = "{0} is refused")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"pattern\":\"a+\"} | the word 'pattern' cannot be checked",
                "{\"$ref\":\"#/$defs/a\"} | the word '$ref' cannot be checked",
                "{\"properties\":{\"a\":{\"if\":{}}}} | the word 'if' cannot be checked",
                "5 | a schema must be an object or a boolean, but is 5",
                "{\"type\":\"text\"} | 'type' must be one or several of",
                "{\"type\":[]} | 'type' must be one or several of",
                "{\"type\":5} | 'type' must be a list of texts, but is 5",
                "{\"required\":[1]} | 'required' must be a list of texts",
                "{\"enum\":[]} | 'enum' must be a list that is not empty",
                "{\"enum\":1} | 'enum' must be a list that is not empty",
                "{\"properties\":[]} | 'properties' must be an object of schemas",
                "{\"minimum\":\"1\"} | 'minimum' must be a number",
                "{\"minLength\":-1} | 'minLength' must be a whole number from 0 on",
                "{\"minLength\":1.5} | 'minLength' must be a whole number from 0 on",
            })
    void aSchemaThatCannotBeCheckedIsRefused(String schema, String words) {
        assertThatThrownBy(() -> minimal.compile(schema))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(words);
    }

    @Test
    void checksAreChosenByTheirNames() {
        assertThat(minimal.name()).isEqualTo("minimal");
        assertThat(minimal.spiVersion()).isEqualTo(SchemaCheckProvider.SPI_VERSION);
        var options = ServerOptions.builder().schemaCheck("strict").build();

        assertThatThrownBy(() -> ToolServer.create(options))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("there is no SchemaCheckProvider 'strict'; found are")
                .hasMessageContaining("minimal");
    }
}
