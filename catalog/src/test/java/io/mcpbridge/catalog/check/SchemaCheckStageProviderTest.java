package io.mcpbridge.catalog.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SchemaCheckStageProviderTest {
    private final Set<Thread> seen = ConcurrentHashMap.newKeySet();
    private final CountDownLatch go = new CountDownLatch(1);

    @Test
    void checksUseAFewNamedDaemonThreads() {
        var threads = SchemaCheckStageProvider.checkThreads();
        for (int i = 0; i < 20; i++) {
            threads.execute(this::waitForGo);
        }
        await().atMost(30, TimeUnit.SECONDS).until(() -> seen.size() == SchemaCheckStageProvider.MAX_THREADS);

        go.countDown();

        await().atMost(30, TimeUnit.SECONDS).until(() -> seen.stream().noneMatch(Thread::isAlive));
        assertThat(seen)
                .hasSize(SchemaCheckStageProvider.MAX_THREADS)
                .allMatch(thread -> thread.isDaemon() && thread.getName().startsWith("mcp-bridge-schema-check-"));
    }

    private void waitForGo() {
        seen.add(Thread.currentThread());
        try {
            assertThat(go.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
