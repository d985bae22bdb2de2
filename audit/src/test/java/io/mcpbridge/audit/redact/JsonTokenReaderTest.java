package io.mcpbridge.audit.redact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.audit.redact.JsonTokenReader.MalformedJsonException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTokenReaderTest {

    @Test
    void eachTokenHasItsPosition() {
        var json = " { \"a\\\"\" : [ 1.50e-3 , true,null ,\"x\\\\\" ] , \"b\":{ } , \"\\u0063\" : false}\n";

        assertThat(raw(json))
                .containsExactly(
                        "{",
                        "\"a\\\"\"",
                        "[",
                        "1.50e-3",
                        "true",
                        "null",
                        "\"x\\\\\"",
                        "]",
                        "\"b\"",
                        "{",
                        "}",
                        "\"\\u0063\"",
                        "false",
                        "}");
    }

    @Test
    void keysAndStringsAreDecoded() {
        var tokens = new JsonTokenReader("{\"\\u0061\":\"\\ud800\\n\"}");

        tokens.next();
        tokens.next();
        assertThat(tokens.text()).isEqualTo("a");
        tokens.next();
        assertThat(tokens.text()).isEqualTo("\ud800\n");
    }

    @Test
    void nestingIsUnlimited() {
        assertThat(raw("[".repeat(50_000) + "]".repeat(50_000))).hasSize(100_000);
    }

    @ParameterizedTest(name = "{0} is truncated at {1}")
    @CsvSource(
            delimiter = '|',
            value = {"[1,\"ab | 3", "[1,\"ab\\u12 | 3", "{\"a\":1 | 6", "[12,tr | 4", "[12,-1 | 6", "[ | 1"})
    void truncatedTextIsReportedAsTruncated(String json, int start) {
        var tokens = new JsonTokenReader(json);

        assertThatThrownBy(() -> readAll(tokens))
                .isInstanceOfSatisfying(
                        MalformedJsonException.class, e -> assertThat(e.isCut()).isTrue());
        assertThat(tokens.start()).isEqualTo(start);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1 2]", "{x:1} y", "[INFO] a", "{\"a\" 1}", "1 1", "\"a\nb\""})
    void otherTextIsMalformed(String json) {
        var tokens = new JsonTokenReader(json);

        assertThatThrownBy(() -> readAll(tokens))
                .isInstanceOfSatisfying(
                        MalformedJsonException.class, e -> assertThat(e.isCut()).isFalse());
    }

    private static List<String> raw(String json) {
        var tokens = new JsonTokenReader(json);
        var raw = new ArrayList<String>();
        while (tokens.next() != null) {
            raw.add(tokens.raw());
        }
        return raw;
    }

    private static void readAll(JsonTokenReader tokens) {
        while (tokens.next() != null) {
            assertThat(tokens.end()).isGreaterThan(tokens.start());
        }
    }
}
