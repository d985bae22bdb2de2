package io.mcpbridge.audit.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of RFC 8785, and what it refuses. */
class CanonicalJsonTest {

    @Test
    void valuesAreWrittenAsInSection322() {
        var json = """
            {
              "numbers": [333333333.33333329, 1E30, 4.50,
                          2e-3, 0.000000000000000000000000001],
              "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
              "literals": [null, true, false]
            }\
            """;

        var canonical = CanonicalJson.of(json);

        assertThat(canonical)
                .isEqualTo(
                        "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],\"string\":\"€$\\u000f\\n"
                                + "A'B\\\"\\\\\\\\\\\"/\"}");
    }

    @Test
    void membersAreSortedByUtf16UnitsAsInSection323() {
        var json = """
            {
              "\\u20ac": "Euro Sign",
              "\\r": "Carriage Return",
              "\\ufb33": "Hebrew Letter Dalet With Dagesh",
              "1": "One",
              "\\ud83d\\ude00": "Emoji: Grinning Face",
              "\\u0080": "Control",
              "\\u00f6": "Latin Small Letter O With Diaeresis"
            }\
            """;

        var canonical = CanonicalJson.of(json);

        assertThat(JsonValues.readObject(canonical).values())
                .containsExactly(
                        "Carriage Return",
                        "One",
                        "Control",
                        "Latin Small Letter O With Diaeresis",
                        "Euro Sign",
                        "Emoji: Grinning Face",
                        "Hebrew Letter Dalet With Dagesh");
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "0000000000000000, 0",
        "8000000000000000, 0",
        "0000000000000001, 5e-324",
        "8000000000000001, -5e-324",
        "7fefffffffffffff, 1.7976931348623157e+308",
        "ffefffffffffffff, -1.7976931348623157e+308",
        "4340000000000000, 9007199254740992",
        "c340000000000000, -9007199254740992",
        "4430000000000000, 295147905179352830000",
        "44b52d02c7e14af5, 9.999999999999997e+22",
        "44b52d02c7e14af6, 1e+23",
        "44b52d02c7e14af7, 1.0000000000000001e+23",
        "444b1ae4d6e2ef4e, 999999999999999700000",
        "444b1ae4d6e2ef4f, 999999999999999900000",
        "444b1ae4d6e2ef50, 1e+21",
        "3eb0c6f7a0b5ed8c, 9.999999999999997e-7",
        "3eb0c6f7a0b5ed8d, 0.000001",
        "41b3de4355555553, 333333333.3333332",
        "41b3de4355555554, 333333333.33333325",
        "41b3de4355555555, 333333333.3333333",
        "41b3de4355555556, 333333333.3333334",
        "41b3de4355555557, 333333333.33333343",
        "becbf647612f3696, -0.0000033333333333333333",
        "43143ff3c1cb0959, 1424953923781206.2"
    })
    void numbersAreWrittenAsInAppendixB(String bits, String written) {
        double number = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));

        assertThat(CanonicalNumber.of(number)).isEqualTo(written);
    }

    @Test
    void anyNumberIsReadBackAsItWas() {
        var random = new Random(20_261_122);

        for (int i = 0; i < 2_000; i++) {
            double number = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(number)) {
                assertThat(Double.parseDouble(CanonicalNumber.of(number))).isEqualTo(number + 0.0);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[1,]",
                "{\"a\":1,}",
                "{\"a\" 1}",
                "{a:1}",
                "[1 2]",
                "01",
                "1.",
                "-",
                "+1",
                "tru",
                "\"a",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\n\"",
                "1 1",
                "]",
                "[}",
                ":1",
                "{\"a\":}",
                "1e400",
                "{\"a\":1,\"a\":2}",
                "\"\\ud800\""
            })
    void whatIsNotJsonOrHasNoFormIsRefused(String text) {
        assertThatThrownBy(() -> CanonicalJson.of(text)).isInstanceOf(MalformedJsonException.class);
    }

    @Test
    void whatNestsDeeperThanAThousandLevelsIsRefused() {
        var deep = "[".repeat(1_000) + "]".repeat(1_000);
        var deeper = "[".repeat(100_000) + "]".repeat(100_000);

        assertThat(CanonicalJson.of(deep)).isEqualTo(deep);
        assertThatThrownBy(() -> CanonicalJson.of(deeper)).hasMessageContaining("1000 levels");
    }
}
