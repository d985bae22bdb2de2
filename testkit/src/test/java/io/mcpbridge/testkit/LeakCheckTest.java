package io.mcpbridge.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("counts what the whole process has open")
class LeakCheckTest {

    @Test
    void earlierThreadsAreNotALeak() {
        var work = new CountDownLatch(1);
        var thread = thread(work);

        assertThatCode(() -> LeakCheck.now().assertNothingLeft()).doesNotThrowAnyException();

        work.countDown();
        Eventually.holds("the thread to end", () -> !thread.isAlive());
    }

    @Test
    void threadThatEndsInTimeIsNotALeak() {
        var before = LeakCheck.now();
        var work = new CountDownLatch(1);
        thread(work);

        work.countDown();

        assertThatCode(before::assertNothingLeft).doesNotThrowAnyException();
    }

    @Test
    void remainingThreadAndChildAreNamed() throws IOException {
        var before = LeakCheck.now();
        var work = new CountDownLatch(1);
        var thread = thread(work);
        var child = new ProcessBuilder(List.of("cat")).start();
        try {
            assertThatThrownBy(() -> before.assertNothingLeft(Duration.ofMillis(500)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("thread mcp-bridge-test")
                    .hasMessageContaining("child process " + child.pid());
        } finally {
            work.countDown();
            child.destroyForcibly();
        }

        Eventually.holds("the thread to end", () -> !thread.isAlive());
        before.assertNothingLeft();
    }

    private static Thread thread(CountDownLatch work) {
        var thread = new Thread(
                () -> {
                    try {
                        work.await();
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                },
                "mcp-bridge-test");
        thread.start();
        return thread;
    }
}
