package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingLogger;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is logged of a disk that fails again and again. */
class StoreHealthTest {
    private final RecordingLogger log = new RecordingLogger();
    private final FakeTimekeeper time = new FakeTimekeeper();
    private final StoreHealth troubles = new StoreHealth("/trail", log, time);

    @Test
    void alternatingDiskFailuresDoNotFloodTheLog() {
        for (int i = 0; i < 100; i++) {
            fail("No space left on device");
            troubles.end(StoreHealth.WRITING);
        }

        assertThat(log.lines()).singleElement().asString().contains("No space left on device");
        time.advance(Duration.ofSeconds(1));
        assertThat(log.lines()).hasSize(2).last().asString().contains("writing works again");
    }

    @Test
    void lastLogLineStatesThatTheDiskIsFull() {
        for (int i = 0; i < 5; i++) {
            fail("No space left on device");
            troubles.end(StoreHealth.WRITING);
            time.advance(Duration.ofSeconds(1));
        }
        fail("No space left on device");
        time.advance(Duration.ofMinutes(5));

        assertThat(log.lines()).last().asString().contains("writing failed");
    }

    @Test
    void lastingFaultIsLoggedOnceWithAnyMessage() {
        fail("No space left on device");
        fail("Input/output error");

        assertThat(log.lines()).singleElement().asString().contains("No space left on device");
        assertThat(troubles.worst())
                .hasValueSatisfying(words -> assertThat(words).contains("Input/output error"));
        assertThat(troubles.isWritingFailing()).isTrue();
    }

    private void fail(String words) {
        troubles.begin(StoreHealth.WRITING, "records are missing until it works again", new IOException(words));
    }
}
