package io.mcpbridge.message;

import static io.mcpbridge.message.CanonicalJson.EXACT;
import static io.mcpbridge.message.CanonicalJson.RFC_8785;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.internal.json.JsonCodec;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of RFC 8785, the exact form, and the values that neither can write. */
class CanonicalJsonTest {

    @Test
    void rfc8785WritesValuesAsInSection322() {
        var json = """
            {
              "numbers": [333333333.33333329, 1E30, 4.50,
                          2e-3, 0.000000000000000000000000001],
              "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
              "literals": [null, true, false]
            }\
            """;

        assertThat(RFC_8785.write(JsonCodec.readPlain(json)))
                .isEqualTo(
                        "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],\"string\":\"€$\\u000f\\n"
                                + "A'B\\\"\\\\\\\\\\\"/\"}");
    }

    @Test
    void rfc8785SortsMembersByUtf16UnitsAsInSection323() {
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

        var canonical = RFC_8785.write(JsonCodec.readPlain(json));

        assertThat(JsonCodec.rawMembers(canonical).values())
                .containsExactly(
                        "\"Carriage Return\"",
                        "\"One\"",
                        "\"Control\"",
                        "\"Latin Small Letter O With Diaeresis\"",
                        "\"Euro Sign\"",
                        "\"Emoji: Grinning Face\"",
                        "\"Hebrew Letter Dalet With Dagesh\"");
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
    void rfc8785WritesNumbersAsInAppendixB(String bits, String written) {
        double number = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));

        assertThat(RFC_8785.write(number)).isEqualTo(written);
    }

    @Test
    void rfc8785WritesDoublesThatReadBackUnchanged() {
        var random = new Random(20_261_122);

        for (int i = 0; i < 2_000; i++) {
            double number = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(number)) {
                assertThat(Double.parseDouble(RFC_8785.write(number))).isEqualTo(number + 0.0);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1L << 53, (1L << 53) + 1, Long.MAX_VALUE, Long.MIN_VALUE})
    void rfc8785WritesIntegersAsDoubles(long number) {
        assertThat(RFC_8785.write(number)).isEqualTo(RFC_8785.write((double) number));
    }

    @Test
    void rfc8785RejectsValuesItCannotWrite() {
        assertThatThrownBy(() -> RFC_8785.write("a\ud800b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lone surrogate U+D800");
        assertThatThrownBy(() -> RFC_8785.write(Map.of("a\udc00", 1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RFC_8785.write(new BigDecimal("1e400"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RFC_8785.write(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    }

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
                "[1e20, 1e21] | [100000000000000000000,1E+21]",
                "[1e400, 0.0000001] | [1E+400,1E-7]",
                "9007199254740993 | 9007199254740993",
                "\"\\u0041\\/\" | \"A/\"",
                "\"\\u0001\\u001f\\n\\t\\r\\b\\f\\u007f\" | \"\\u0001\\u001F\\n\\t\\r\\b\\f\\u007f\"",
                "\"a\\u200bb\" | \"a\\u200bb\"",
                "\"\\udb40\\udc41\" | \"\\udb40\\udc41\"",
                "\"\\ud800\" | \"\\ud800\"",
                "\"\\ud83d\\ude00\" | \"😀\"",
                "[true, false, null] | [true,false,null]",
            })
    void exactFormIsEqualForAllNotationsOfAValue(String json, String canonical) {
        assertThat(EXACT.write(JsonCodec.readPlain(json))).isEqualTo(canonical);
    }

    @Test
    void exactFormDistinguishesNumbersThatAreEqualAsDoubles() {
        assertThat(EXACT.sha256(9_007_199_254_740_992L)).isNotEqualTo(EXACT.sha256(9_007_199_254_740_993L));
        assertThat(EXACT.write(List.of(1.5, 2f, 3))).isEqualTo("[1.5,2,3]");
        assertThatThrownBy(() -> EXACT.write(Double.POSITIVE_INFINITY)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void equalNumbersHaveEqualExactObjects() {
        assertThat(CanonicalJson.exact(new BigDecimal("2.0"))).isEqualTo(CanonicalJson.exact(new BigDecimal("2")));
        assertThat(CanonicalJson.exact(new BigDecimal("1e30"))).isEqualTo(CanonicalJson.exact(new BigDecimal("10e29")));
    }

    @Test
    void otherTypesAreRejected() {
        assertThatThrownBy(() -> EXACT.write(new Object())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void indentedFormHasOneLineForEachMemberAndElement() {
        var value = Map.of("a", List.of(), "b", Map.of(), "c", List.of(1, Map.of("x", 2)));

        assertThat(EXACT.writeIndented(value)).isEqualTo("""
                {
                  "a" : [ ],
                  "b" : { },
                  "c" : [
                    1,
                    {
                      "x" : 2
                    }
                  ]
                }""");
    }

    @Test
    void hashIsTheSha256OfTheCanonicalText() {
        assertThat(EXACT.sha256(Map.of()))
                .isEqualTo("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
    }
}
