package io.mcpbridge.catalog.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.catalog.check.CheckQueue.QueuedCheck;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.testkit.FakeTimekeeper;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The order of the checks of several servers. */
class CheckQueueTest {
    private final FakeTimekeeper time = new FakeTimekeeper();
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final List<String> seen = new ArrayList<>();
    private final CheckQueue one = new CheckQueue(threads::add);
    private final CheckQueue other = new CheckQueue(threads::add);

    @Test
    void serverUsesOneThreadAtATime() {
        check(one, "one 1");
        check(one, "one 2");
        check(one, "one 3");

        assertThat(threads).hasSize(1);
    }

    @Test
    void serversAreCheckedRoundRobin() {
        check(one, "one 1");
        check(one, "one 2");
        check(one, "one 3");
        check(other, "other 1");
        check(other, "other 2");

        runAll();

        assertThat(seen).containsExactly("one 1", "other 1", "one 2", "other 2", "one 3");
    }

    @Test
    void queueContinuesAfterItWasEmpty() {
        check(one, "early");
        runAll();
        check(one, "late");
        runAll();

        assertThat(seen).containsExactly("early", "late");
    }

    @Test
    void checksBeyondTheQueueLimitAreRejected() {
        for (int i = 0; i < CheckQueue.MAX_WAITING; i++) {
            check(one, "waits");
        }

        check(one, "late");
        check(other, "other");

        assertThat(seen).containsExactly("late: OVERLOADED 10,000 checks of its server wait already; try again later");
        assertThat(threads).hasSize(2);
    }

    @Test
    void endedCallsLeaveTheQueue() {
        var ended = new ArrayList<Call>();
        for (int i = 0; i < CheckQueue.MAX_WAITING; i++) {
            ended.add(check(one, "dead"));
        }
        ended.forEach(call -> call.cancellation().cancel(CancelReason.CLIENT_GONE));
        seen.clear();

        check(one, "alive");
        threads.remove().run();

        assertThat(seen).containsExactly("alive");
        assertThat(threads).isEmpty();
    }

    @Test
    void queuedChecksAreRejectedIfNoThreadIsAvailable() {
        Executor none = run -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        var queue = new CheckQueue(none);

        check(queue, "first");
        check(queue, "second");

        assertThat(seen)
                .containsExactly(
                        "first: OVERLOADED there is no thread for it; try again later",
                        "second: OVERLOADED there is no thread for it; try again later");
    }

    @Test
    void threadContinuesIfNoOtherIsAvailable() {
        Executor oneOnly = run -> {
            if (!seen.isEmpty()) {
                throw new RejectedExecutionException();
            }
            threads.add(run);
        };
        var queue = new CheckQueue(oneOnly);
        check(queue, "first");
        check(queue, "second");
        check(queue, "third");

        runAll();

        assertThat(seen).containsExactly("first", "second", "third");
    }

    @Test
    void queueContinuesAfterADefectInACallback() {
        Consumer<Object> failing = result -> {
            throw new IllegalStateException("odd");
        };
        new QueuedCheck(call(), List::of, failing::accept, (code, why) -> failing.accept(why), System.getLogger("test"))
                .enqueue(one);
        check(one, "next");

        runAll();

        assertThat(seen).containsExactly("next");
    }

    private void runAll() {
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
    }

    private Call check(CheckQueue queue, String name) {
        var call = call();
        new QueuedCheck(
                        call,
                        List::of,
                        issues -> seen.add(name),
                        (code, why) -> seen.add("%s: %s %s".formatted(name, code, why)),
                        System.getLogger("test"))
                .enqueue(queue);
        return call;
    }

    private Call call() {
        var request = Request.of(MessageId.of(1), Methods.TOOLS_CALL, "{}");
        return Call.of(request, Caller.ANONYMOUS, "c-1", Deadline.after(Duration.ofMinutes(1), time));
    }
}
