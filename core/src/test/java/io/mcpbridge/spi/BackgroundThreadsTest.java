package io.mcpbridge.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BackgroundThreadsTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    @Test
    void aThreadHasOurNameAndKeepsNoProgramAlive() {
        var thread = BackgroundThreads.of("test", () -> {});

        assertThat(thread.getName()).isEqualTo("mcp-bridge-test");
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getState()).isEqualTo(Thread.State.NEW);
    }

    @Test
    void theThreadsOfAPoolAreNumbered() throws Exception {
        var pool = BackgroundThreads.pool("test", 1, LONG);

        var name = pool.submit(() -> Thread.currentThread().getName()).get();

        assertThat(name).isEqualTo("mcp-bridge-test-1");
        BackgroundThreads.end(pool, LONG);
    }

    @Test
    void theEndOfAPoolWaitsForItsWork() {
        var pool = BackgroundThreads.pool("test", 1, LONG);
        var isDone = new AtomicBoolean();
        for (int i = 0; i < 10; i++) {
            pool.execute(Thread::yield);
        }
        pool.execute(() -> isDone.set(true));

        BackgroundThreads.end(pool, LONG);

        assertThat(isDone).isTrue();
    }

    @Test
    void workThatIsLeftAfterTheGracePeriodIsInterrupted() throws Exception {
        var pool = BackgroundThreads.pool("test", 1, LONG);
        var interrupted = new CountDownLatch(1);
        pool.execute(() -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException ended) {
                interrupted.countDown();
            }
        });

        BackgroundThreads.end(pool, Duration.ofMillis(10));

        interrupted.await();
    }

    @Test
    void anInterruptedCallerEndsThePoolAtOnceAndStaysInterrupted() {
        var pool = BackgroundThreads.pool("test", 1, LONG);
        pool.execute(() -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        Thread.currentThread().interrupt();

        BackgroundThreads.end(pool, LONG);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(pool.isShutdown()).isTrue();
    }
}
