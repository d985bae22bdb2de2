package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.pipeline.Observed;
import io.mcpbridge.pipeline.OneOutcome;
import io.mcpbridge.pipeline.OverallDeadline;
import io.mcpbridge.pipeline.Pipeline;
import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The outermost stages: one outcome, told once to whoever watches. */
class StagesTest {
    private final FakeTimekeeper time = new FakeTimekeeper();
    private final RecordingLogger log = new RecordingLogger();
    private final RecordingReply reply = new RecordingReply();
    private final List<Outcome> seen = new ArrayList<>();
    private final CallObserver watching = new CallObserver() {
        @Override
        public void ended(Call call, Outcome outcome) {
            seen.add(outcome);
        }
    };

    @Test
    void aCallThatTimesOutEndsOnceForItsObservers() {
        var call = call();

        through(
                        watching,
                        (held, holder) -> held.cancellation()
                                .onCancel(reason ->
                                        holder.done(Outcome.failed(Failure.of(reason.code(), "told by its holder")))))
                .handle(call, reply);
        time.advance(Duration.ofSeconds(1));

        assertThat(seen).hasSize(1);
        assertThat(reply.awaitFailure().message()).isEqualTo("told by its holder");
    }

    @Test
    void aCallThatNobodyEndsEndsByItsDeadline() {
        through(watching, (held, holder) -> {}).handle(call(), reply);
        time.advance(Duration.ofSeconds(1));

        assertThat(seen).hasSize(1);
        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
    }

    @Test
    void anObserverThatThrowsCostsNoOutcome() {
        var throwing = new CallObserver() {
            @Override
            public void begun(Call call) {
                throw new IllegalStateException("begun");
            }

            @Override
            public void ended(Call call, Outcome outcome) {
                throw new IllegalStateException("ended");
            }
        };

        through(
                        throwing,
                        (call, holder) -> holder.done(
                                Outcome.answered(Response.result(call.request().id(), "{}"))))
                .handle(call(), reply);

        assertThat(reply.outcomes()).hasSize(1);
        assertThat(log.lines()).filteredOn(line -> line.contains("observer")).hasSize(2);
    }

    private Handler through(CallObserver observer, Handler last) {
        return Pipeline.of(
                List.of(new OneOutcome(log), new Observed(List.of(observer), log), new OverallDeadline()), last);
    }

    private Call call() {
        var request = Request.of(MessageId.of(1), Methods.TOOLS_CALL, "{}");
        return Call.of(request, Caller.builder().build(), "c-1", Deadline.after(Duration.ofSeconds(1), time));
    }
}
