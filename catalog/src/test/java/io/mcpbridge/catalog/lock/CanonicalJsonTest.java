package io.mcpbridge.catalog.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;

class CanonicalJsonTest {

    @ParameterizedTest(name = "{0} is written as {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"b\":1, \"a\":{\"d\":[], \"c\":null}} | {\"a\":{\"c\":null,\"d\":[]},\"b\":1}",
                "[1.0, 1, 10e-1] | [1,1,1]",
                "[0, -0, -0.0, 0e9] | [0,0,0,0]",
                "[1.50, 15e-1] | [1.5,1.5]",
                "[100, 1e2] | [100,100]",
                "1e400 | 1E+400",
                "9007199254740993 | 9007199254740993",
                "\"\\u0041\\/\" | \"A/\"",
                "\"a\\u200bb\" | \"a\\u200bb\"",
                "\"\\ud800\" | \"\\ud800\"",
                "\"\\ud83d\\ude00\" | \"😀\"",
                "[true, false, null] | [true,false,null]",
            })
    void valueHasOneForm(String json, String canonical) {
        assertThat(CanonicalJson.write(CanonicalJson.read(json))).isEqualTo(canonical);
    }

    @Test
    void keysStandInTheOrderOfTheirCodeUnits() {
        var read = CanonicalJson.read("{\"\\ufb33\":1,\"\\ud83d\\ude00\":2,\"\\u20ac\":3,\"1\":4}");

        assertThat(CanonicalJson.write(read)).isEqualTo("{\"1\":4,\"€\":3,\"😀\":2,\"\ufb33\":1}");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "1e99999999999",
                "{\"a\":1E-99999999999}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":{\"b\":1,\"b\":1}}",
                "{} {}",
                "{",
                "nul"
            })
    void whatCanBeReadInTwoWaysOrInNoneIsRefused(String json) {
        assertThatThrownBy(() -> CanonicalJson.read(json)).isInstanceOf(JacksonException.class);
    }

    @Test
    void numbersThatDoublesCannotTellApartHaveOtherHashes() {
        var one = CanonicalJson.hash(CanonicalJson.read("9007199254740992"));
        var other = CanonicalJson.hash(CanonicalJson.read("9007199254740993"));

        assertThat(one).isNotEqualTo(other).hasSize(64);
    }

    @Test
    void halfACharacterIsNoQuestionMark() {
        var half = CanonicalJson.hash(CanonicalJson.read("\"\\ud800\""));

        assertThat(half).isNotEqualTo(CanonicalJson.hash(CanonicalJson.read("\"?\"")));
    }

    @Test
    void hashIsTheOneThatOtherToolsComputeOfTheCanonicalText() {
        assertThat(CanonicalJson.hash(CanonicalJson.read("{ }")))
                .isEqualTo("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
    }
}
