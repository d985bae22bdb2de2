package io.mcpbridge.catalog.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HiddenCharactersTest {

    @ParameterizedTest(name = "{1}")
    @CsvSource({
        "1B, an escape sequence of a terminal",
        "0, NUL",
        "8, a backspace",
        "9B, the other beginning of an escape sequence",
        "AD, a soft hyphen",
        "200B, a blank without width",
        "200D, a joiner without width",
        "202E, letters from right to left",
        "2066, an isolated direction",
        "FEFF, a byte order mark",
        "E0041, a tag",
        "E0101, a selector of a variant",
        "FE01, a selector of a variant in the first plane",
        "2028, the end of a line",
        "E000, a private character",
        "D800, half a character",
        "3164, a filler",
        "115F, another filler",
        "2800, a blank pattern",
    })
    void hiddenCharacterIsDetected(String hex, String what) {
        var text = new StringBuilder("a")
                .appendCodePoint(Integer.parseInt(hex, 16))
                .append("b");

        assertThat(HiddenCharacters.find(Map.of("description", text.toString())))
                .as(what)
                .containsExactly("/description: U+%04X".formatted(Integer.parseInt(hex, 16)));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"two\nlines\r\n\tand a tab", "grün, 日本語, العربية", "☺️ and 😀"})
    void ordinaryTextIsNotHidden(String text) {
        assertThat(HiddenCharacters.find(Map.of("description", text))).isEmpty();
    }

    @Test
    void allPathsAreReported() {
        var value = Map.of("a/b", List.of("fine", Map.of("x", "\u200b\u200b\u202e")));

        assertThat(HiddenCharacters.find(value)).containsExactly("/a~1b/1/x: U+200B U+202E");
    }

    @Test
    void memberNamesAreCheckedToo() {
        assertThat(HiddenCharacters.find(Map.of("a\u200b", 1))).containsExactly("the name /a\\u{200b}: U+200B");
    }
}
