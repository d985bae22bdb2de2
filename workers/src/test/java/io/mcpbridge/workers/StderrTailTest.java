package io.mcpbridge.workers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.workers.internal.frame.WorkerRequest;
import java.io.ByteArrayInputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class StderrTailTest {
    private static final String MARKER = new String(WorkerRequest.stderrMarker(42), UTF_8);
    private static final String EARLIER_MARKER = new String(WorkerRequest.stderrMarker(41), UTF_8);

    private static StderrTail tail(String text) {
        return new StderrTail(new ByteArrayInputStream(text.getBytes(UTF_8)), List.of("correct horse"));
    }

    /** What is shown during the call 42. */
    private static String shown(String text) {
        var words = tail(text);
        words.beginCall(42);
        words.read();
        return words.text();
    }

    @Test
    void allOutputIsShownBeforeTheFirstCall() {
        var words = tail("cannot start\nfor correct horse");

        words.read();

        assertThat(words.text()).isEqualTo("cannot start | for ***");
    }

    @Test
    void onlyOutputAfterTheMarkerOfTheCallIsShown() {
        assertThat(shown("Alice" + EARLIER_MARKER + "Bob" + MARKER + "Carol")).isEqualTo("Carol");
        assertThat(shown("Alice\0\0[call " + MARKER + "Carol")).isEqualTo("Carol");
        assertThat(shown("x".repeat(8_180) + MARKER + "Carol")).isEqualTo("Carol");
        assertThat(shown("Alice" + MARKER)).isEmpty();
    }

    @Test
    void nothingIsShownWithoutTheMarker() {
        assertThat(shown("Alice" + EARLIER_MARKER + "Bob")).isEmpty();
    }

    @Test
    void endIsShownIfTheMarkerIsNoLongerKept() {
        assertThat(shown("Alice" + MARKER + "y".repeat(10_000))).isEqualTo("..." + "y".repeat(1_000));
    }

    @Test
    void outputOfAnEndedCallIsNotShownInTheNextCall() {
        var words = tail(MARKER + "Alice");
        words.beginCall(42);
        words.read();

        words.beginCall(43);

        assertThat(words.text()).isEmpty();
    }
}
