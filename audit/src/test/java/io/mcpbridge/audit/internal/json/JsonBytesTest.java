package io.mcpbridge.audit.internal.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonBytesTest {
    private final JsonBytes json = new JsonBytes();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "a\"quote",
                "back\\slash",
                "\u0000\n\t\u001f",
                "what?",
                "\u007f\u0080",
                "\u00fc\u20ac\ud83d\ude00"
            })
    void textIsWrittenInItsCanonicalForm(String text) {
        assertThat(written(text)).isEqualTo(CanonicalJson.write(text));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 7, 10, 99, 100, -1, 1L << 53, (1L << 53) + 1, Long.MAX_VALUE, Long.MIN_VALUE})
    void wholeNumberIsWrittenInItsCanonicalForm(long number) {
        assertThat(written(number)).isEqualTo(CanonicalJson.write(number));
    }

    @Test
    void mapIsWrittenInItsCanonicalForm() {
        var map = Map.of("b", "2", "a", "1", "\u00e4", "\n");

        assertThat(written(map)).isEqualTo(CanonicalJson.write(map));
        assertThat(written(Map.of())).isEqualTo("{}");
    }

    @Test
    void longTextsFindRoom() {
        var text = "x".repeat(100_000);

        assertThat(written(text)).isEqualTo(CanonicalJson.write(text));
    }

    @Test
    void plainTextIsQuoted() {
        assertThat(new String(json.clear().plain("0".repeat(5_000)).copy(), UTF_8))
                .isEqualTo(CanonicalJson.write("0".repeat(5_000)));
    }

    @Test
    void surrogateThatStandsAloneIsRefused() {
        assertThatThrownBy(() -> json.text("a\ud800")).isInstanceOf(MalformedJsonException.class);
    }

    private String written(Object value) {
        return new String(json.clear().value(value).copy(), UTF_8);
    }
}
