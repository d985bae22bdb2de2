package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Workers that do everything at once, until a test has the next piece of work wait. */
final class HeldWorkers implements Executor {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean isHolding;

    @Override
    public void execute(Runnable work) {
        if (isHolding) {
            isHolding = false;
            reached.countDown();
            await(released);
        }
        work.run();
    }

    /** The thread that hands over the next task waits. */
    void holdNext() {
        isHolding = true;
    }

    void awaitHeld() {
        await(reached);
    }

    void release() {
        released.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for a worker", stopped);
        }
    }
}
