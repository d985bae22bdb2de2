package io.mcpbridge.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderEncodingTest {

    static Stream<Arguments> texts() {
        return Stream.of(
                Arguments.of("plain", "get_issue", "get_issue"),
                Arguments.of("blanks within", "a b\tc", "a b\tc"),
                Arguments.of("empty", "", ""),
                Arguments.of("beyond ASCII", "größe", "=?base64?Z3LDtsOfZQ==?="),
                Arguments.of("line break", "a\r\nX-Evil: 1", "=?base64?YQ0KWC1FdmlsOiAx?="),
                Arguments.of("NUL", "a\0b", "=?base64?YQBi?="),
                Arguments.of("DEL", "a\u007fb", "=?base64?YX9i?="),
                Arguments.of("blank in front", " a", "=?base64?IGE=?="),
                Arguments.of("blank behind", "a ", "=?base64?YSA=?="),
                Arguments.of("a text that looks encoded", "=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="),
                Arguments.of("one that nearly does", "=?BASE64?x?=", "=?base64?PT9CQVNFNjQ/eD89?="));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("texts")
    void textSurvivesARoundTrip(String name, String text, String value) {
        assertThat(MirroredHeaders.encode(text)).isEqualTo(value);
        assertThat(MirroredHeaders.decode(value)).contains(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"=?base64?%%%?=", "=?base64?/w==?=", "=?base64?YQ?x?=", "=?base64?YQ?=", "=?base64?YR==?="})
    void malformedEncodedValueHasNoText(String value) {
        assertThat(MirroredHeaders.decode(value)).isEmpty();
    }

    @Test
    void incompleteMarkersArePlainText() {
        assertThat(MirroredHeaders.decode("=?base64?")).contains("=?base64?");
        assertThat(MirroredHeaders.decode("=?base64?=")).contains("=?base64?=");
    }
}
