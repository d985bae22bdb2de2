package io.mcpbridge.catalog.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.SchemaIssue;
import io.mcpbridge.testkit.FakeTimekeeper;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** In which order the checks of several servers are run. */
class CheckTurnsTest {
    private final FakeTimekeeper time = new FakeTimekeeper();
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final List<String> seen = new ArrayList<>();
    private final CheckTurns one = new CheckTurns(threads::add);
    private final CheckTurns other = new CheckTurns(threads::add);

    @Test
    void oneServerHasOneTurnAtATimeHoweverManyThreadsThereAre() {
        check(one, "one 1");
        check(one, "one 2");
        check(one, "one 3");

        assertThat(threads).hasSize(1);
    }

    @Test
    void serversTakeTurns() {
        check(one, "one 1");
        check(one, "one 2");
        check(one, "one 3");
        check(other, "other 1");
        check(other, "other 2");

        runAll();

        assertThat(seen).containsExactly("one 1", "other 1", "one 2", "other 2", "one 3");
    }

    @Test
    void turnsGoOnAfterThereWereNone() {
        check(one, "early");
        runAll();
        check(one, "late");
        runAll();

        assertThat(seen).containsExactly("early", "late");
    }

    @Test
    void moreChecksThanTheQueueHoldsAreRefused() {
        for (int i = 0; i < CheckTurns.QUEUE; i++) {
            check(one, "waits");
        }

        check(one, "late");
        check(other, "other");

        assertThat(seen).containsExactly("late: OVERLOADED 10,000 checks of its server wait already; try again later");
        assertThat(threads).hasSize(2);
    }

    @Test
    void callsThatHaveEndedTakeNoPlaceAndNoTurn() {
        var ended = new ArrayList<Call>();
        for (int i = 0; i < CheckTurns.QUEUE; i++) {
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
    void allThatWaitAreRefusedWhereThereIsNoThread() {
        Executor none = turn -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        var turns = new CheckTurns(none);

        check(turns, "first");
        check(turns, "second");

        assertThat(seen)
                .containsExactly(
                        "first: OVERLOADED there is no thread for it; try again later",
                        "second: OVERLOADED there is no thread for it; try again later");
    }

    @Test
    void threadGoesOnItselfWhereNoOtherCanBeHad() {
        Executor oneOnly = turn -> {
            if (!seen.isEmpty()) {
                throw new RejectedExecutionException();
            }
            threads.add(turn);
        };
        var turns = new CheckTurns(oneOnly);
        check(turns, "first");
        check(turns, "second");
        check(turns, "third");

        runAll();

        assertThat(seen).containsExactly("first", "second", "third");
    }

    @Test
    void turnsGoOnAfterADefectInWhatFollowsACheck() {
        new WaitingCheck(call(), List::of, failing(), System.getLogger("test")).begin(one);
        check(one, "next");

        runAll();

        assertThat(seen).containsExactly("next");
    }

    private void runAll() {
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
    }

    private Call check(CheckTurns turns, String name) {
        var call = call();
        new WaitingCheck(call, List::of, recording(name), System.getLogger("test")).begin(turns);
        return call;
    }

    private Call call() {
        var request = Request.of(MessageId.of(1), Methods.TOOLS_CALL, "{}");
        return Call.of(request, Caller.builder().build(), "c-1", Deadline.after(Duration.ofMinutes(1), time));
    }

    private WaitingCheck.Hearer recording(String name) {
        return new WaitingCheck.Hearer() {
            @Override
            public void issues(List<SchemaIssue> issues) {
                seen.add(name);
            }

            @Override
            public void impossible(ErrorCode code, String why) {
                seen.add("%s: %s %s".formatted(name, code, why));
            }
        };
    }

    private static WaitingCheck.Hearer failing() {
        return new WaitingCheck.Hearer() {
            @Override
            public void issues(List<SchemaIssue> issues) {
                throw new IllegalStateException("odd");
            }

            @Override
            public void impossible(ErrorCode code, String why) {
                throw new IllegalStateException("odd");
            }
        };
    }
}
