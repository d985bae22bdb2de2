package io.mcpbridge.retry.breaker;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.retry.breaker.CircuitBreaker.Permit;
import io.mcpbridge.retry.breaker.CircuitBreaker.State;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.HeldOff;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.StageContext;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Refuses attempts while the server fails, and finds out with a request of its own when it works again. Any thread.
 *
 * <p>A server that nobody calls is not asked either: then the next call makes it be asked.
 */
public final class BreakerStage implements CallStage {
    /** What callers are told to wait who come while the server is being tried. */
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final StageContext context;
    private final CircuitBreaker breaker;
    private volatile String reason = "";
    private volatile boolean isWanted;

    public BreakerStage(BreakerSettings settings, StageContext context) {
        var environment = context.environment();
        this.context = context;
        this.breaker = new CircuitBreaker(settings, environment.timekeeper(), environment.random());
        context.onChanged(change -> {
            if (change.isEmpty()) {
                breaker.connected();
            }
        });
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        var permit = breaker.enter();
        if (permit.passes()) {
            pass(call, new Watched(call, reply, permit), next);
            return;
        }
        isWanted = true;
        probeIfDue(call.caller());
        reply.done(Outcome.failed(refusal()));
    }

    private static void pass(Call call, Watched watched, Handler next) {
        try {
            next.handle(watched.heard(call), watched);
        } catch (RuntimeException | Error defect) {
            watched.threw(defect);
            throw defect;
        }
    }

    @Override
    public List<Reading> readings() {
        var state = breaker.state();
        var words = switch (state) {
            case CLOSED -> "closed";
            case OPEN -> "open for %d ms more: %s".formatted(breaker.rest().toMillis(), reason);
            case PROBING -> "open; the server is being asked for a sign of life";
            case TRIAL -> "half open; one call is tried";
        };
        var value = state == State.CLOSED ? 0 : state == State.TRIAL ? 0.5 : 1;
        return List.of(new Reading("breaker.state", value, words));
    }

    @Override
    public Optional<HeldOff> heldOff() {
        return breaker.heldOffFor()
                .map(span -> new HeldOff(
                        "calls are held off since it failed, the last time because: " + reason,
                        context.environment().timekeeper().now().minus(span)));
    }

    private Failure refusal() {
        var rest = breaker.rest();
        var wait = rest.isZero() ? MOMENT : rest;
        // Whoever comes back at once gets many of these, so they are put together without a format.
        var words = "server '" + context.server() + "' is held off since it failed, the last time because: " + reason
                + "; it is tried again in " + wait.toMillis() + " ms";
        return Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, words)
                .withServer(context.server())
                .withHoldOff(wait);
    }

    private void ended(Call call, Permit permit, Outcome outcome) {
        switch (Verdict.of(outcome)) {
            case WORKS -> worked(call, permit);
            case FAILED -> breaker.failed(permit).ifPresent(span -> opened(call, Verdict.reason(outcome), span));
            case LOST -> breaker.lost(permit).ifPresent(span -> opened(call, Verdict.reason(outcome), span));
            case UNSAID -> breaker.unsaid(permit);
        }
    }

    private void worked(Call call, Permit permit) {
        if (breaker.worked(permit)) {
            closed(call);
        }
    }

    private void opened(Call call, String why, Duration span) {
        isWanted = false;
        log(Level.WARNING, "server '%s' is held off for %d ms: %s".formatted(context.server(), span.toMillis(), why));
        context.publish(new BridgeEvent.BreakerOpened(context.server(), call.correlationId(), span, why));
        holdOff(call.caller().withoutSession(), why, span);
    }

    private void holdOff(Caller caller, String why, Duration span) {
        reason = why;
        context.environment().timekeeper().schedule(span, () -> {
            if (isWanted) {
                probeIfDue(caller);
            }
        });
    }

    private void closed(Call call) {
        log(Level.INFO, "server '%s' is called again".formatted(context.server()));
        context.publish(new BridgeEvent.BreakerClosed(context.server(), call.correlationId()));
    }

    private void probeIfDue(Caller caller) {
        if (!breaker.beginsProbe()) {
            return;
        }
        var ending = new ProbeEnd(caller.withoutSession());
        try {
            context.probe(ending.nobody, ending);
        } catch (RuntimeException defect) {
            ending.failed(defect);
        }
    }

    private void log(Level level, String words) {
        context.environment().logger().log(level, "[mcp-bridge] " + words);
    }

    /** Tells the breaker how the probe ended. */
    private final class ProbeEnd implements Completion {
        private final Caller nobody;

        private ProbeEnd(Caller nobody) {
            this.nobody = nobody;
        }

        @Override
        public void succeeded() {
            breaker.probed();
        }

        @Override
        public void failed(Throwable why) {
            isWanted = false;
            breaker.probeFailed().ifPresent(span -> {
                var words = String.valueOf(why.getMessage());
                log(Level.DEBUG, "server '%s' gave no sign of life: %s".formatted(context.server(), words));
                holdOff(nobody, words, span);
            });
        }
    }

    /** Tells the breaker how the call ended. */
    private final class Watched implements Reply {
        private final Call call;
        private final Reply reply;
        private final Permit permit;
        private volatile boolean isDone;

        private Watched(Call call, Reply reply, Permit permit) {
            this.call = call;
            this.reply = reply;
            this.permit = permit;
        }

        /** The call as it is passed on: what the server asks back while it is on trial shows that it works. */
        private Call heard(Call passed) {
            return permit.isTrial()
                    ? passed.withDeadline(passed.deadline().watched(held -> worked(call, permit)))
                    : passed;
        }

        /** Whoever comes after this stage failed, and may never tell how the call ended. */
        private void threw(Throwable defect) {
            if (!isDone) {
                var words = "the bridge failed on a call: " + defect;
                breaker.failed(permit).ifPresent(span -> opened(call, words, span));
            }
        }

        @Override
        public void event(Message progressOrLog) {
            if (permit.isTrial()) {
                worked(call, permit);
            }
            reply.event(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            isDone = true;
            ended(call, permit, outcome);
            reply.done(outcome);
        }
    }
}
