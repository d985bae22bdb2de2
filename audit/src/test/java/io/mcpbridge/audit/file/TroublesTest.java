package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingLogger;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is told of a disk that fails and works by turns. */
class TroublesTest {
    private final RecordingLogger log = new RecordingLogger();
    private final FakeTimekeeper time = new FakeTimekeeper();
    private final Troubles troubles = new Troubles("/trail", log, time);

    @Test
    void diskThatIsFullByTurnsDoesNotFillTheLog() {
        for (int i = 0; i < 100; i++) {
            fail("No space left on device");
            troubles.end(Troubles.WRITING);
        }

        assertThat(log.lines()).singleElement().asString().contains("No space left on device");
        time.advance(Duration.ofSeconds(1));
        assertThat(log.lines()).hasSize(2).last().asString().contains("writing works again");
    }

    @Test
    void lastWordOfTheLogIsTrueWhileTheDiskStaysFull() {
        for (int i = 0; i < 5; i++) {
            fail("No space left on device");
            troubles.end(Troubles.WRITING);
            time.advance(Duration.ofSeconds(1));
        }
        fail("No space left on device");
        time.advance(Duration.ofMinutes(5));

        assertThat(log.lines()).last().asString().contains("writing failed");
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
