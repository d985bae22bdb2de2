package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Additions;
import io.mcpbridge.call.AttemptWatch;
import io.mcpbridge.call.CallAttempt;
import io.mcpbridge.call.CallStart;
import io.mcpbridge.call.CallWatch;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Sending;
import io.mcpbridge.message.Request;
import io.mcpbridge.pipeline.Observed;
import io.mcpbridge.pipeline.Pipeline;
import io.mcpbridge.spi.CallObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whoever watches calls hears of each attempt, between the call's beginning and its end. */
class ObservedAttemptsTest {
    private final OneServer bench = OneServer.reconnecting();
    private final List<String> heard = new ArrayList<>();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void theAttemptAtAServerIsHeardWithItsName() {
        var reply = OneServer.through(observed(bench.route.handler()), bench.toolCall());
        bench.connection().answer(bench.connection().last(), "{}");

        assertThat(reply.awaitAnswer().isError()).isFalse();
        assertThat(heard)
                .containsExactly("begun", "attempt 1 at tools", "sending in 2025-11-25", "attempt ended", "ended");
    }

    @Test
    void attemptsAreCounted() {
        OneServer.through(
                observed((call, reply) -> {
                    call.watch().attempted(CallAttempt.of(call, "one", named -> true));
                    call.withMetadata(call.metadata()).watch().attempted(CallAttempt.of(call, "other", named -> true));
                }),
                bench.toolCall());

        assertThat(heard).containsExactly("begun", "attempt 1 at one", "attempt 2 at other");
    }

    @Test
    void whatAWatcherAddsGoesWithTheMessage() {
        OneServer.through(observed(bench.route.handler()), bench.toolCall());

        var sent = (Request) bench.connection().last().message();
        assertThat(sent.metaText("traceparent")).contains("00-1");
    }

    @Test
    void aWatcherThatFailsCostsTheCallNothing() {
        CallObserver broken = new CallObserver() {
            @Override
            public CallWatch begun(CallStart start) {
                throw new IllegalStateException("a defect");
            }
        };
        var reply = OneServer.through(observed(broken, bench.route.handler()), bench.toolCall());
        bench.connection().answer(bench.connection().last(), "{}");

        assertThat(reply.awaitAnswer().isError()).isFalse();
    }

    private Handler observed(Handler handler) {
        return observed(new Recording(), handler);
    }

    private Handler observed(CallObserver observer, Handler handler) {
        return Pipeline.of(Observed.by(List.of(observer), CallStart.Origin.CLIENT, named -> false, bench.log), handler);
    }

    private final class Recording implements CallObserver {

        @Override
        public CallWatch begun(CallStart start) {
            heard.add("begun");
            return new RecordingWatch();
        }
    }

    private final class RecordingWatch implements CallWatch {

        @Override
        public AttemptWatch attempted(CallAttempt attempt) {
            heard.add("attempt %d at %s".formatted(attempt.number(), attempt.server()));
            return new RecordingAttempt();
        }

        @Override
        public void ended(Outcome outcome) {
            heard.add("ended");
        }
    }

    private final class RecordingAttempt implements AttemptWatch {

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
