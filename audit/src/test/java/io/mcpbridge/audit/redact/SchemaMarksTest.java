package io.mcpbridge.audit.redact;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.tool.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaMarksTest {
    private static final RedactionKey KEY = RedactionKey.of(new byte[32]);

    private final Redaction redaction = Redaction.of(RedactionSettings.DEFAULTS, KEY, List::of);

    /** In each value {@code X} stands where the schema marks a secret. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'properties':{'a':{'x-sensitive':true}}} | {'a':'X','b':'seen'}",
                "{'properties':{'a':{'writeOnly':true}}} | {'b':'seen','a':'X'}",
                "{'properties':{'a':{'format':'password'}}} | {'a':'X'}",
                "{'properties':{'a':{'x-sensitive':true}}} | {'a':{'deep':['X',{'y':'X'}]}}",
                "{'properties':{'a':{'properties':{'b':{'writeOnly':true}}}}} | {'a':{'b':'X','c':'seen'},'b':'seen'}",
                "{'properties':{'a':{'items':{'writeOnly':true}}}} | {'a':['X','X']}",
                "{'properties':{'a':{'prefixItems':[{},{'writeOnly':true}]}}} | {'a':['X','X']}",
                "{'additionalProperties':{'writeOnly':true},'properties':{'a':{}}} | {'a':'seen','z':'X'}",
                "{'patternProperties':{'^s_':{'writeOnly':true}},'properties':{'s_a':{}}} | {'s_a':'X'}",
                "{'$ref':'#/$defs/d','$defs':{'d':{'properties':{'a':{'writeOnly':true}}}}} | {'a':'X'}",
                "{'properties':{'a':{'$ref':'#/definitions/x~1y'}},'definitions':{'x/y':{'writeOnly':true}}} |"
                        + " {'a':'X'}",
                "{'properties':{'a':{'$ref':'#name'}},'$defs':{'q':{'$anchor':'name','writeOnly':true}}} | {'a':'X'}",
                "{'properties':{'v':{'writeOnly':true},'next':{'$ref':'#'}}} | {'next':{'next':{'v':'X','w':'seen'}}}",
                "{'allOf':[{'properties':{'a':{}}},{'properties':{'a':{'writeOnly':true}}}]} | {'a':'X'}",
                "{'anyOf':[{'properties':{'b':{}}},{'oneOf':[{'properties':{'a':{'writeOnly':true}}}]}]} | {'a':'X'}",
                "{'if':{},'then':{'properties':{'a':{'writeOnly':true}}}} | {'a':'X'}",
                "{'writeOnly':true} | {'a':'X','b':['X']}",
                "{'properties':{'a':{'x-sensitive':false,'writeOnly':false}}} | {'a':'seen'}",
                "{'properties':{'a':{'$ref':'https://example.com/x'}}} | {'a':'seen'}",
                "{'$ref':'#'} | {'a':'seen'}"
            })
    void markedValueIsNotShown(String schema, String value) {
        var marks = SchemaMarks.of(Json.parse(schema.replace('\'', '"')).value());

        var shown = redaction.arguments(value.replace('\'', '"'), marks, new RedactedValues());

        assertThat(shown.text())
                .isEqualTo(value.replace('\'', '"')
                        .replace("\"X\"", '"' + KEY.hash().of("X") + '"'));
    }

    @Test
    void markedNumbersAreNotShown() {
        var marks = SchemaMarks.of(
                Json.parse("{\"properties\":{\"n\":{\"writeOnly\":true}}}").value());

        var shown = redaction.arguments("{\"n\":1.50,\"m\":2,\"b\":true}", marks, new RedactedValues());

        assertThat(shown.text())
                .isEqualTo(
                        "{\"n\":\"%s\",\"m\":2,\"b\":true}".formatted(KEY.hash().of("1.50")));
    }

    @Test
    void structuredContentIsRedactedByTheOutputSchemaInTextsToo() {
        var marks = SchemaMarks.of(
                Json.parse("{\"properties\":{\"a\":{\"writeOnly\":true}}}").value());
        var result =
                "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"a\\\":\\\"X\\\"}\"}],\"structuredContent\":{\"a\":\"X\"},\"a\":\"seen\"}";

        var shown = redaction.result(result, marks);

        assertThat(shown.text()).doesNotContain("X").contains("\"a\":\"seen\"");
    }

    @Test
    void tooManyAlternativesHideEverything() {
        var many = "{\"properties\":{\"a\":{}}},".repeat(100);
        var marks = SchemaMarks.of(
                Json.parse("{\"anyOf\":[" + many + "{\"writeOnly\":false}]}").value());

        assertThat(redaction
                        .arguments("{\"a\":\"X\"}", marks, new RedactedValues())
                        .text())
                .doesNotContain("X");
    }
}
