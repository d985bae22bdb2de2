package io.mcpbridge.transport.stdio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is kept of the standard error of a child. */
class ChildStderrTest {
    private final Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shortOutputIsKeptWhole() {
        assertThat(lastLines("one\ntwo\n")).isEqualTo("one | two");
    }

    @Test
    void onlyTheEndOfALongOutputIsKept() {
        assertThat(lastLines("x".repeat(100_000) + "y".repeat(1_999) + "z")).isEqualTo("..." + "y".repeat(1_999) + "z");
    }

    @Test
    void emptyOutputLeavesAnEmptyTail() {
        assertThat(lastLines("")).isEmpty();
    }

    private String lastLines(String output) {
        var stderr = new ChildConnection.ChildStderr(
                new ByteArrayInputStream(output.getBytes(UTF_8)),
                "child",
                new OutputRedactor(List.of()),
                fixture.environment);
        stderr.read();
        return stderr.lastLines();
    }
}
