package io.mcpbridge.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonStringsTest {

    @Test
    void requiredCharactersAreEscaped() {
        assertThat(JsonStrings.quote("a\"b\\c/d\n\r\t\0\u001f\u007f\u00e9\u2028\ud83d\ude00"))
                .isEqualTo("\"a\\\"b\\\\c/d\\u000a\\u000d\\u0009\\u0000\\u001f\u007f\u00e9\u2028\ud83d\ude00\"");
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource({"d800, high", "dc00, low"})
    void loneSurrogatesAreEscaped(String hex, String name) {
        char surrogate = (char) Integer.parseInt(hex, 16);

        assertThat(JsonStrings.quote("a" + surrogate + "b")).isEqualTo("\"a\\u" + hex + "b\"");
        assertThat(JsonStrings.decode(JsonStrings.quote("a" + surrogate))).isEqualTo("a" + surrogate);
    }

    @Test
    void everyEscapeIsDecoded() {
        assertThat(JsonStrings.decode("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00E9\\ud83d\\ude00x\""))
                .isEqualTo("\"\\/\b\f\n\r\t\u00e9\ud83d\ude00x");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "",
                "\"",
                "a",
                "1",
                "\"a",
                "a\"",
                "\"a\"b",
                "\"a\"b\"",
                "\"\\x\"",
                "\"\\u12\"",
                "\"a\nb\"",
                " \"a\""
            })
    void invalidStringIsRejected(String token) {
        assertThatThrownBy(() -> JsonStrings.decode(token))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a JSON string");
    }

    @Test
    void anyTextSurvivesARoundTrip() {
        var random = new Random(99);
        for (int i = 0; i < 10_000; i++) {
            var text = new StringBuilder();
            for (int j = random.nextInt(10); j > 0; j--) {
                text.append((char) (random.nextBoolean() ? random.nextInt(0x80) : random.nextInt(0x10000)));
            }

            assertThat(JsonStrings.decode(JsonStrings.quote(text.toString()))).isEqualTo(text.toString());
        }
    }

    @ParameterizedTest(name = "{0} is a lone surrogate")
    @ValueSource(
            strings = {
                "\\ud800",
                "\\udc00",
                "\\ud800 \\udc00",
                "\\ud800\\n",
                "\\ud800\\ud800\\udc00",
                "\\ud83d\\ude00\\ude00"
            })
    void loneSurrogatesAreDetected(String text) {
        assertThat(JsonStrings.hasLoneSurrogate("{\"a\":[\"" + text + "\"]}")).isTrue();
    }

    @ParameterizedTest(name = "{0} is not a lone surrogate")
    @ValueSource(strings = {"", "\\ud83d\\ude00", "\\\\ud800", "\\n\\u0041", "\\\\\\\\udc00"})
    void surrogatePairsAreNotLoneSurrogates(String text) {
        assertThat(JsonStrings.hasLoneSurrogate("{\"a\":[\"" + text + "\"]}")).isFalse();
    }
}
