package io.mcpbridge.catalog.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.tool.ToolDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PinTest {

    @ParameterizedTest(name = "{0} is written as {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"b\":1, \"a\":{\"d\":[], \"c\":null}} | {\"a\":{\"c\":null,\"d\":[]},\"b\":1}",
                "{\"a\":[1.0, 1, 10e-1]} | {\"a\":[1,1,1]}",
                "{\"a\":[0, -0, -0.0, 0e9]} | {\"a\":[0,0,0,0]}",
                "{\"a\":[1.50, 15e-1]} | {\"a\":[1.5,1.5]}",
                "{\"a\":[100, 1e2]} | {\"a\":[100,100]}",
                "{\"a\":1e400} | {\"a\":1E+400}",
                "{\"a\":9007199254740993} | {\"a\":9007199254740993}",
                "{\"a\":\"\\u0041\\/\"} | {\"a\":\"A/\"}",
                "{\"a\":\"a\\u200bb\"} | {\"a\":\"a\\u200bb\"}",
                "{\"a\":\"\\ud800\"} | {\"a\":\"\\ud800\"}",
                "{\"a\":\"\\ud83d\\ude00\"} | {\"a\":\"😀\"}",
                "{\"a\":[true, false, null]} | {\"a\":[true,false,null]}",
            })
    void equalValuesHaveOneCanonicalForm(String json, String canonical) {
        var pin = Pin.of(Pin.parse(json));

        assertThat(pin.json()).isEqualTo(canonical);
        assertThat(Pin.of(pin.definition())).isEqualTo(pin);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "{\"a\":1e99999999999}",
                "{\"a\":1E-99999999999}",
                "{\"a\":100e2147483647}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":{\"b\":1,\"b\":1}}",
                "{} {}",
                "{",
                "nul",
                "[]"
            })
    void ambiguousOrInvalidJsonIsRejected(String json) {
        assertThatThrownBy(() -> Pin.parse(json)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void numbersThatAreEqualAsDoublesHaveDifferentHashes() {
        var one = Pin.of(Pin.parse("{\"a\":9007199254740992}"));
        var other = Pin.of(Pin.parse("{\"a\":9007199254740993}"));

        assertThat(one.hash()).isNotEqualTo(other.hash()).hasSize(64);
    }

    @Test
    void loneSurrogateIsNotAQuestionMark() {
        var surrogate = Pin.of(Pin.parse("{\"a\":\"\\ud800\"}"));

        assertThat(surrogate.hash())
                .isNotEqualTo(Pin.of(Pin.parse("{\"a\":\"?\"}")).hash());
    }

    @Test
    void hashIsTheSha256OfTheCanonicalText() {
        assertThat(Pin.of(Pin.parse("{ }")).hash())
                .isEqualTo("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
    }

    @Test
    void listedDefinitionIsPinnedInFull() {
        var pin = Pin.of(ToolDefinition.parse("{\"own\":[1.0],\"name\":\"a\"}"));

        assertThat(pin.json()).isEqualTo("{\"name\":\"a\",\"own\":[1]}");
    }
}
