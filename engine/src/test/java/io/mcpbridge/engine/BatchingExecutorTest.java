package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every task runs once, on at most the given number of threads. */
@Timeout(60)
class BatchingExecutorTest {
    private final FakeTimekeeper time = new FakeTimekeeper();

    @Test
    void tasksAreSubmittedToAtMostTheGivenNumberOfThreads() {
        List<Runnable> woken = new ArrayList<>();
        var ran = new AtomicInteger();
        var few = new BatchingExecutor(woken::add, 2, time);

        for (int i = 0; i < 100; i++) {
            few.execute(ran::incrementAndGet);
        }
        assertThat(woken).hasSize(2);
        woken.get(0).run();

        assertThat(ran).hasValue(100);
    }

    @Test
    void fewTasksUseOneThread() {
        List<Runnable> woken = new ArrayList<>();
        var few = new BatchingExecutor(woken::add, 2, time);

        for (int i = 0; i < 10; i++) {
            few.execute(() -> {});
        }

        assertThat(woken).hasSize(1);
    }

    @Test
    void anotherThreadIsUsedIfOneIsStuck() {
        List<Runnable> woken = new ArrayList<>();
        var ran = new AtomicInteger();
        var few = new BatchingExecutor(woken::add, 2, time);
        few.execute(() -> {
            few.execute(ran::incrementAndGet);
            time.advance(Duration.ofMillis(10));
            assertThat(woken).hasSize(2);
            woken.get(1).run();
            assertThat(ran).hasValue(1);
        });

        woken.get(0).run();

        assertThat(ran).hasValue(1);
    }

    @Test
    void noOtherThreadIsUsedIfNoTaskIsQueued() {
        List<Runnable> woken = new ArrayList<>();
        var few = new BatchingExecutor(woken::add, 2, time);
        few.execute(() -> time.advance(Duration.ofMillis(10)));

        woken.get(0).run();

        assertThat(woken).hasSize(1);
    }

    @Test
    void tasksOfManyThreadsAllRun() throws Exception {
        var threads = Executors.newFixedThreadPool(2);
        var ran = new CountDownLatch(40_000);
        var few = new BatchingExecutor(threads, 2, time);
        var adders = new ArrayList<Thread>();
        for (int i = 0; i < 4; i++) {
            var adder = new Thread(() -> {
                for (int n = 0; n < 10_000; n++) {
                    few.execute(ran::countDown);
                }
            });
            adders.add(adder);
            adder.start();
        }

        assertThat(ran.await(30, TimeUnit.SECONDS)).isTrue();
        for (var adder : adders) {
            adder.join();
        }
        threads.shutdown();
    }

    @Test
    void taskThatThrowsDoesNotKeepOthersFromRunning() {
        List<Runnable> woken = new ArrayList<>();
        var ran = new AtomicInteger();
        var few = new BatchingExecutor(woken::add, 1, time);
        few.execute(() -> {
            throw new IllegalStateException("a defect");
        });
        few.execute(ran::incrementAndGet);

        assertThatThrownBy(() -> woken.get(0).run()).hasMessage("a defect");
        woken.get(1).run();

        assertThat(ran).hasValue(1);
    }

    @Test
    void taskIsRejectedIfNoThreadIsAvailable() {
        var threads = Executors.newSingleThreadExecutor();
        threads.shutdown();
        var few = new BatchingExecutor(threads, 1, time);

        assertThatThrownBy(() -> few.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        Eventually.holds("the threads to end", threads::isTerminated);
    }
}
