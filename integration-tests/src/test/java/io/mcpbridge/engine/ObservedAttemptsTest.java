package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.pipeline.Observed;
import io.mcpbridge.pipeline.Pipeline;
import io.mcpbridge.spi.CallObserver;
import java.util.ArrayList;
import java.util.List;
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
        assertThat(heard).containsExactly("begun", "attempt 1 at tools", "ended");
    }

    @Test
    void attemptsAreCounted() {
        OneServer.through(
                observed((call, reply) -> {
                    call.attempted("one");
                    call.withMetadata(call.metadata()).attempted("other");
                }),
                bench.toolCall());

        assertThat(heard).containsExactly("begun", "attempt 1 at one", "attempt 2 at other");
    }

    @Test
    void aCallThatNobodyWatchesMayBeAttempted() {
        bench.toolCall().attempted("one");

        assertThat(heard).isEmpty();
    }

    private Handler observed(Handler handler) {
        return Pipeline.of(List.of(new Observed(List.of(new Recording()), bench.log)), handler);
    }

    private final class Recording implements CallObserver {

        @Override
        public void begun(Call call) {
            heard.add("begun");
        }

        @Override
        public void attempted(Call call, String server, int attempt) {
            heard.add("attempt %d at %s".formatted(attempt, server));
        }

        @Override
        public void ended(Call call, Outcome outcome) {
            heard.add("ended");
        }
    }
}
