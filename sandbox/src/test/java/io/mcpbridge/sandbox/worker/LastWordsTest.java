package io.mcpbridge.sandbox.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.sandbox.worker.internal.frame.CallMark;
import java.io.ByteArrayInputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class LastWordsTest {
    private static final String MARK = new String(CallMark.of(42), UTF_8);
    private static final String MARK_BEFORE = new String(CallMark.of(41), UTF_8);

    private static LastWords said(String text) {
        return new LastWords(new ByteArrayInputStream(text.getBytes(UTF_8)), List.of("correct horse"));
    }

    /** What is shown in the call 42. */
    private static String shown(String text) {
        var words = said(text);
        words.begin(42);
        words.read();
        return words.text();
    }

    @Test
    void allIsShownBeforeTheFirstCall() {
        var words = said("cannot start\nfor correct horse");

        words.read();

        assertThat(words.text()).isEqualTo("cannot start | for ***");
    }

    @Test
    void onlyWhatCameBehindTheMarkOfTheCallIsShown() {
        assertThat(shown("Alice" + MARK_BEFORE + "Bob" + MARK + "Carol")).isEqualTo("Carol");
        assertThat(shown("Alice\0\0[call " + MARK + "Carol")).isEqualTo("Carol");
        assertThat(shown("x".repeat(8_180) + MARK + "Carol")).isEqualTo("Carol");
        assertThat(shown("Alice" + MARK)).isEmpty();
    }

    @Test
    void nothingIsShownWithoutTheMark() {
        assertThat(shown("Alice" + MARK_BEFORE + "Bob")).isEmpty();
    }

    @Test
    void endOfManyWordsIsShownWhereTheMarkIsLongGone() {
        assertThat(shown("Alice" + MARK + "y".repeat(10_000))).isEqualTo("..." + "y".repeat(1_000));
    }

    @Test
    void wordsOfACallThatHasEndedAreForgottenWhenTheNextOneBegins() {
        var words = said(MARK + "Alice");
        words.begin(42);
        words.read();

        words.begin(43);

        assertThat(words.text()).isEmpty();
    }
}
