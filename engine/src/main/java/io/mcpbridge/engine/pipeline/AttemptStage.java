package io.mcpbridge.engine.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CallTracer;
import io.mcpbridge.call.CallTracer.CallAttempt;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The last stage before the connection to a server. Counts and observes the attempt. Sets its deadline, which is no
 * later than the call's. Reports its end to the plug-in stages.
 *
 * @param server the configured name of the server
 * @param listed whether a list of the server has the tool or prompt that a call names
 * @param timeout how long an attempt of a call may take
 * @param stages receive the end of each attempt
 */
public record AttemptStage(
        String server,
        Predicate<Call> listed,
        Function<Call, Duration> timeout,
        Collection<CallStage> stages,
        Timekeeper timekeeper)
        implements CallStage {

    public AttemptStage {
        stages = List.copyOf(stages);
    }

    @Override
    public void handle(CallContext call, Next next) {
        var attempt = PipelineCall.of(call);
        attempt.countAttempt();
        var watch = attempt.tracer();
        if (watch != CallTracer.NONE) {
            var observed = watch.attempted(
                    new CallAttempt(attempt.request(), attempt.correlationId(), server, 1, () -> listed.test(attempt)));
            attempt.attempt(observed);
            attempt.onComplete(observed::ended);
        }
        if (!stages.isEmpty()) {
            var begun = timekeeper.nanoTime();
            attempt.onComplete(outcome -> report(attempt, outcome, begun));
        }
        // At the deadline the attempt is cancelled, and the connection ends it.
        var own = attempt.deadline().within(timeout.apply(attempt));
        if (own != attempt.deadline()) {
            attempt.deadline(own);
            var alarm = own.alarm(() -> attempt.cancellation().cancel(CancelReason.TIMED_OUT));
            attempt.onComplete(outcome -> alarm.cancel());
        }
        next.handle(attempt);
    }

    private void report(PipelineCall attempt, Outcome outcome, long begun) {
        var took = Duration.ofNanos(timekeeper.nanoTime() - begun);
        stages.forEach(stage -> stage.attemptEnded(attempt, outcome, took));
    }
}
