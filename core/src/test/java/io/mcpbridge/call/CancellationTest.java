package io.mcpbridge.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CancellationTest {
    private final Cancellation cancellation = new Cancellation();
    private final List<CancelReason> heard = new ArrayList<>();

    @Test
    void firstReasonWinsAndIsReportedOnce() {
        cancellation.onCancel(heard::add);

        cancellation.cancel(CancelReason.TIMED_OUT);
        cancellation.cancel(CancelReason.CLIENT_GONE);

        assertThat(heard).containsExactly(CancelReason.TIMED_OUT);
        assertThat(cancellation.reason()).contains(CancelReason.TIMED_OUT);
    }

    @Test
    void lateRegistrationRunsAtOnce() {
        cancellation.cancel(CancelReason.CLIENT_GONE);

        cancellation.onCancel(heard::add);

        assertThat(heard).containsExactly(CancelReason.CLIENT_GONE);
    }

    @Test
    void removedActionDoesNotRun() {
        cancellation.onCancel(heard::add).remove();

        cancellation.cancel(CancelReason.CLIENT_GONE);

        assertThat(heard).isEmpty();
    }

    @Test
    void childIsCancelledWithItsParentButNotViceVersa() {
        var one = cancellation.child().cancellation();
        var other = cancellation.child().cancellation();

        one.cancel(CancelReason.TIMED_OUT);
        assertThat(cancellation.isCancelled()).isFalse();
        cancellation.cancel(CancelReason.CLIENT_GONE);

        assertThat(one.reason()).contains(CancelReason.TIMED_OUT);
        assertThat(other.reason()).contains(CancelReason.CLIENT_GONE);
    }

    @Test
    void detachedChildIsNotCancelled() {
        var child = cancellation.child();
        child.link().remove();

        cancellation.cancel(CancelReason.CLIENT_GONE);

        assertThat(child.cancellation().isCancelled()).isFalse();
    }

    @Test
    void actionsRunInRegistrationOrder() {
        List<String> order = new ArrayList<>();
        cancellation.onCancel(why -> order.add("first"));
        var second = cancellation.onCancel(why -> order.add("second"));
        cancellation.onCancel(why -> order.add("third"));
        second.remove();

        cancellation.cancel(CancelReason.CLIENT_GONE);

        assertThat(order).containsExactly("first", "third");
    }

    @Test
    void removingActionsInOrderKeepsTheOthers() {
        cancellation.onCancel(heard::add);
        var last = cancellation.onCancel(why -> {});
        for (int i = 0; i < 1_000; i++) {
            var next = cancellation.onCancel(heard::add);
            last.remove();
            last = next;
        }

        cancellation.cancel(CancelReason.CLIENT_GONE);

        assertThat(heard).hasSize(2);
    }

    @Test
    void concurrentActionsRunOnceUnlessRemoved() throws InterruptedException {
        var told = new AtomicInteger();
        var threads = Stream.generate(() -> new Thread(() -> {
                    for (int i = 0; i < 10_000; i++) {
                        var removed = cancellation.onCancel(why -> {});
                        if (i % 100 == 0) {
                            cancellation.onCancel(why -> told.incrementAndGet());
                        }
                        removed.remove();
                    }
                }))
                .limit(4)
                .toList();

        threads.forEach(Thread::start);
        cancellation.cancel(CancelReason.CLIENT_GONE);
        for (var thread : threads) {
            thread.join();
        }

        assertThat(told).hasValue(400);
    }
}
