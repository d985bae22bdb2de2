package io.mcpbridge.failure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VisibleTextTest {

    @Test
    void lettersAndEmojiAreUnchanged() {
        assertThat(VisibleText.of("Grüße, 世界 😀")).isEqualTo("Grüße, 世界 😀");
    }

    @Test
    void controlAndInvisibleCharactersAreEscaped() {
        assertThat(VisibleText.of("\u001b[31m\u202ea\u200b\u2028\n"))
                .isEqualTo("\\u{1b}[31m\\u{202e}a\\u{200b}\\u{2028}\\u{a}");
    }

    @Test
    void invisibleLettersAndSelectorsAreEscaped() {
        assertThat(VisibleText.of("a\u3164\u2800\ufe01b \u263a\ufe0f"))
                .isEqualTo("a\\u{3164}\\u{2800}\\u{fe01}b \u263a\ufe0f");
    }

    @Test
    void lineBreaksAreReplacedInASingleLine() {
        assertThat(VisibleText.line("one\r\n\ttwo\u0007")).isEqualTo("one |  two\\u{7}");
    }

    @Test
    void lineBreaksAreKept() {
        assertThat(VisibleText.lines("one\r\n\ttwo\rthree\u001b[2J")).isEqualTo("one\n\ttwo\\u{d}three\\u{1b}[2J");
    }

    @Test
    void jsonKeepsItsValue() {
        assertThat(VisibleText.json("{\"a\":\n\"\u202eb\u009b\u007f\udb40\udc41ü\"}"))
                .isEqualTo("{\"a\":\n\"\\u202eb\\u009b\\u007f\\udb40\\udc41ü\"}");
    }

    @Test
    void longTextIsTruncated() {
        assertThat(VisibleText.beginning("abc", 3)).isEqualTo("abc");
        assertThat(VisibleText.beginning("ab\u0007d", 3)).isEqualTo("ab\\u{7}…");
    }
}
