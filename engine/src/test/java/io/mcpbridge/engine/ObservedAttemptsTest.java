package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.AttemptTracer;
import io.mcpbridge.call.AttemptTracer.Additions;
import io.mcpbridge.call.AttemptTracer.Sending;
import io.mcpbridge.call.CallTracer;
import io.mcpbridge.call.CallTracer.CallAttempt;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.engine.pipeline.ObserverList;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.pipeline.Pipeline.Position;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.CallObserver.CallStart;
import io.mcpbridge.spi.CallStage.Next;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Observers of calls receive each attempt, between the beginning and the end of its call. */
class ObservedAttemptsTest {
    private final OneServer bench = OneServer.reconnecting();
    private final List<String> heard = new ArrayList<>();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void attemptIsObservedWithTheNameOfItsServer() {
        var reply = OneServer.through(observed(bench.route.handler()), bench.toolCall());
        bench.connection().answer(bench.connection().last(), "{}");

        assertThat(reply.awaitAnswer().isError()).isFalse();
        assertThat(heard)
                .containsExactly("begun", "attempt 1 at tools", "sending in 2025-11-25", "attempt ended", "ended");
    }

    @Test
    void attemptsAreNumbered() {
        OneServer.through(
                observed(call -> {
                    call.tracer()
                            .attempted(new CallAttempt(call.request(), call.correlationId(), "one", 1, () -> true));
                    call.newAttempt(call.cancellation())
                            .tracer()
                            .attempted(new CallAttempt(call.request(), call.correlationId(), "other", 1, () -> true));
                }),
                bench.toolCall());

        assertThat(heard).containsExactly("begun", "attempt 1 at one", "attempt 2 at other");
    }

    @Test
    void metaAddedByAnObserverIsSent() {
        OneServer.through(observed(bench.route.handler()), bench.toolCall());

        var sent = (Request) bench.connection().last().message();
        assertThat(sent.metaText("traceparent")).contains("00-1");
    }

    @Test
    void failureOfAnObserverDoesNotAffectTheCall() {
        CallObserver broken = new CallObserver() {
            @Override
            public CallTracer begun(CallStart start) {
                throw new IllegalStateException("a defect");
            }
        };
        var reply = OneServer.through(observed(broken, bench.route.handler()), bench.toolCall());
        bench.connection().answer(bench.connection().last(), "{}");

        assertThat(reply.awaitAnswer().isError()).isFalse();
    }

    private Handler observed(Next next) {
        return observed(new Recording(), next);
    }

    private Handler observed(CallObserver observer, Next next) {
        return new Pipeline()
                .add(
                        Position.OBSERVERS,
                        new ObserverList(List.of(observer), bench.log).stage(CallStart.Origin.CLIENT, named -> false))
                .handler(next, bench.log);
    }

    private final class Recording implements CallObserver {

        @Override
        public CallTracer begun(CallStart start) {
            heard.add("begun");
            return new RecordingWatch();
        }
    }

    private final class RecordingWatch implements CallTracer {

        @Override
        public AttemptTracer attempted(CallAttempt attempt) {
            heard.add("attempt %d at %s".formatted(attempt.number(), attempt.server()));
            return new RecordingAttempt();
        }

        @Override
        public void ended(Outcome outcome) {
            heard.add("ended");
        }
    }

    private final class RecordingAttempt implements AttemptTracer {

        @Override
        public Additions sending(Sending sending) {
            heard.add("sending in " + sending.version());
            return Additions.of(Map.of("traceparent", "00-1"), Map.of());
        }

        @Override
        public void ended(Outcome outcome) {
            heard.add("attempt ended");
        }
    }
}
