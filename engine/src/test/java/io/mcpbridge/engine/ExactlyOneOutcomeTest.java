package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingReply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Each call ends exactly once, whatever comes at the same time. */
class ExactlyOneOutcomeTest {
    private static final int CALLS = 300;

    private final ExecutorService racers = Executors.newFixedThreadPool(4);

    @AfterEach
    void end() {
        racers.shutdownNow();
    }

    @Test
    void racingAnswerCancellationTimeoutAndFailureGiveOneOutcome() throws Exception {
        try (var bench = OneServer.reconnecting()) {
            for (int i = 0; i < CALLS; i++) {
                var call = bench.toolCall();
                var reply = bench.send(call);
                var connection = bench.connection();
                var out = connection.last();

                race(
                        () -> connection.answer(out, "{}"),
                        () -> call.cancellation().cancel(CancelReason.CLIENT_CANCELLED),
                        () -> call.cancellation().cancel(CancelReason.TIMED_OUT),
                        () -> connection.write(out));

                assertThat(reply.outcomes()).hasSize(1);
            }
            assertThat(bench.upstream().status().callsInFlight()).isZero();
        }
    }

    @RepeatedTest(30)
    void callsRacingWithCloseHaveOneOutcomeEach() throws Exception {
        var bench = OneServer.reconnecting();
        var replies = new ArrayList<RecordingReply>();
        replies.add(bench.send());
        var connection = bench.connection();
        var calls = new ArrayList<Call>();
        for (int i = 0; i < 20; i++) {
            calls.add(bench.toolCall());
            replies.add(new RecordingReply());
        }

        race(
                () -> {
                    for (int i = 0; i < 20; i++) {
                        bench.upstream().handle(calls.get(i), replies.get(i + 1));
                    }
                },
                () -> calls.forEach(call -> call.cancellation().cancel(CancelReason.CLIENT_GONE)),
                () -> connection.end(Closed.exited(1, "")),
                bench::close);
        bench.close();

        Eventually.holds("the end of every call", () -> replies.stream().allMatch(RecordingReply::isDone));
        assertThat(replies).allSatisfy(reply -> assertThat(reply.outcomes()).hasSize(1));
        assertThat(bench.server.connections()).allMatch(each -> each.isClosed());
    }

    @RepeatedTest(100)
    void concurrentCallsOpenOneSession() throws Exception {
        try (var bench = OneServer.reconnecting()) {
            var replies = List.of(new RecordingReply(), new RecordingReply(), new RecordingReply());

            race(
                    () -> bench.upstream().handle(bench.toolCall(), replies.get(0)),
                    () -> bench.upstream().handle(bench.toolCall(), replies.get(1)),
                    () -> bench.upstream().handle(bench.toolCall(), replies.get(2)));

            assertThat(bench.server.connections()).hasSize(1);
            assertThat(bench.connection().requests()).hasSize(3);
        }
    }

    private void race(Runnable... all) throws Exception {
        var start = new CyclicBarrier(all.length);
        var running = new ArrayList<Future<?>>();
        for (var each : all) {
            running.add(racers.submit(() -> {
                start.await();
                each.run();
                return true;
            }));
        }
        for (var each : running) {
            await(each);
        }
    }

    private static void await(Future<?> racer) throws InterruptedException, ExecutionException {
        racer.get();
    }
}
