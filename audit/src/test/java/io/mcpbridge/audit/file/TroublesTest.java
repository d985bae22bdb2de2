package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.RecordingLogger;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What is told of a disk that fails and works by turns. */
class TroublesTest {
    private final RecordingLogger log = new RecordingLogger();
    private final Troubles troubles = new Troubles("/trail", log);

    @Test
    void diskThatIsFullByTurnsDoesNotFillTheLog() {
        for (int i = 0; i < 100; i++) {
            fail("No space left on device");
            troubles.end(Troubles.WRITING);
        }

        assertThat(log.lines()).hasSize(2 * 7);
        assertThat(log.lines()).last().asString().contains("works again", "(64 times by now)");
    }

    @Test
    void troubleIsToldOnceWhileItLastsWhateverItsWords() {
        fail("No space left on device");
        fail("Input/output error");

        assertThat(log.lines()).singleElement().asString().contains("No space left on device");
        assertThat(troubles.words())
                .hasValueSatisfying(words -> assertThat(words).contains("Input/output error"));
        assertThat(troubles.stopsRecords()).isTrue();
    }

    private void fail(String words) {
        troubles.begin(Troubles.WRITING, "records are missing until it works again", new IOException(words));
    }
}
