package io.mcpbridge.retry.breaker;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.retry.breaker.CircuitBreaker.Permit;
import io.mcpbridge.retry.breaker.CircuitBreaker.State;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.CallStage.Outage;
import io.mcpbridge.spi.CallStage.Place;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.StageContext;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Rejects attempts while the circuit breaker of a server is open, and probes the server with a request of the bridge.
 * Any thread may use it.
 *
 * <p>The probe is sent when the open time ends if a call was rejected meanwhile; otherwise the next call triggers it. A
 * server without calls is not probed.
 */
public final class BreakerStage implements CallStage {

    /** How long callers are asked to wait while a probe or a half-open call is in progress. */
    private static final Duration PROBE_WAIT = Duration.ofSeconds(1);

    private final StageContext context;
    private final CircuitBreaker breaker;
    private volatile String reason = "";

    /** Whether a call was rejected since the breaker opened. */
    private volatile boolean hasCallers;

    public BreakerStage(BreakerSettings settings, StageContext context) {
        var environment = context.environment();
        this.context = context;
        this.breaker = new CircuitBreaker(settings, environment.timekeeper(), environment.random());
        context.onChanged(change -> {
            if (change.isEmpty()) {
                breaker.onConnected();
            }
        });
    }

    @Override
    public void handle(CallContext call, Next next) {
        var permit = breaker.acquire();
        if (permit.passes()) {
            call.onComplete(outcome -> ended(call, permit, outcome));
            if (permit.isHalfOpen()) {
                observe(call, permit);
            }
            next.handle(call);
            return;
        }
        hasCallers = true;
        probeIfDue(call.caller());
        call.complete(Outcome.failed(rejection()));
    }

    /** Counts an event or a request that the server sends before its answer as a success. */
    private void observe(CallContext call, Permit permit) {
        call.onEvent(event -> succeeded(call, permit));
        call.onHold(deadline -> succeeded(call, permit));
    }

    @Override
    public List<GaugeReading> readings() {
        var state = breaker.state();
        var text = switch (state) {
            case CLOSED -> "closed";
            case OPEN ->
                "open for %d ms more: %s".formatted(breaker.remainingOpenTime().toMillis(), reason);
            case HALF_OPEN_PROBE -> "half-open; a probe of the server is in progress";
            case HALF_OPEN_CALL -> "half-open; the next call passes when the last one has ended or takes too long";
        };
        var value = state == State.CLOSED ? 0 : state == State.HALF_OPEN_CALL ? 0.5 : 1;
        return List.of(new GaugeReading("breaker.state", value, text));
    }

    @Override
    public Optional<Outage> rejecting() {
        return breaker.openDuration()
                .map(span -> new Outage(
                        "circuit breaker open: " + reason,
                        context.environment().timekeeper().now().minus(span)));
    }

    private Failure rejection() {
        var rest = breaker.remainingOpenTime();
        var wait = rest.isZero() ? PROBE_WAIT : rest;
        // Concatenated rather than formatted: callers that retry at once cause many of these.
        var message = "server '" + context.server() + "' is unavailable (circuit breaker open): " + reason
                + "; next attempt in " + wait.toMillis() + " ms";
        return Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, message)
                .withServer(context.server())
                .withBreakerOpen(wait);
    }

    private void ended(Call call, Permit permit, Outcome outcome) {
        switch (CallResult.of(outcome)) {
            case SUCCESS -> succeeded(call, permit);
            case FAILURE ->
                breaker.onFailure(permit).ifPresent(interval -> opened(call, CallResult.reason(outcome), interval));
            case CONNECTION_LOST ->
                breaker.onConnectionLost(permit)
                        .ifPresent(interval -> opened(call, CallResult.reason(outcome), interval));
            case IGNORED -> breaker.onIgnored(permit);
        }
    }

    private void succeeded(Call call, Permit permit) {
        if (breaker.onSuccess(permit)) {
            log(Level.INFO, "server '%s' is available again (circuit breaker closed)".formatted(context.server()));
            context.publish(new BridgeEvent.BreakerClosed(context.server(), call.correlationId()));
        }
    }

    private void opened(Call call, String why, Duration interval) {
        hasCallers = false;
        log(
                Level.WARNING,
                "server '%s' is unavailable (circuit breaker open for %d ms): %s"
                        .formatted(context.server(), interval.toMillis(), why));
        context.publish(new BridgeEvent.BreakerOpened(context.server(), call.correlationId(), interval, why));
        scheduleProbe(call.caller().withoutSession(), why, interval);
    }

    private void scheduleProbe(Caller caller, String why, Duration interval) {
        reason = why;
        context.environment().timekeeper().schedule(interval, () -> {
            if (hasCallers) {
                probeIfDue(caller);
            }
        });
    }

    private void probeIfDue(Caller caller) {
        if (!breaker.beginProbe()) {
            return;
        }
        var completion = new ProbeCompletion(caller.withoutSession());
        try {
            context.probe(completion.caller, completion);
        } catch (RuntimeException defect) {
            completion.failed(defect);
        }
    }

    private void log(Level level, String message) {
        context.environment().logger().log(level, "[mcp-bridge] " + message);
    }

    /** Reports the result of a probe to the breaker. */
    private final class ProbeCompletion implements Completion {
        private final Caller caller;

        private ProbeCompletion(Caller caller) {
            this.caller = caller;
        }

        @Override
        public void succeeded() {
            breaker.onProbeSuccess();
        }

        @Override
        public void failed(Throwable why) {
            hasCallers = false;
            breaker.onProbeFailure().ifPresent(interval -> {
                var message = String.valueOf(why.getMessage());
                log(Level.DEBUG, "the probe of server '%s' failed: %s".formatted(context.server(), message));
                scheduleProbe(caller, message, interval);
            });
        }
    }

    /** The result of a call for the circuit breaker. */
    private enum CallResult {
        /** The server answered, even if the call was wrong. */
        SUCCESS,
        /** The server did not answer in time, or failed. */
        FAILURE,
        /** The server was not reached, or its connection ended; one such event can end many calls. */
        CONNECTION_LOST,
        /**
         * The outcome does not count: its cause is elsewhere, concerns one call alone, or is a rate limit of the
         * server.
         */
        IGNORED;

        private static final int INTERNAL_ERROR = -32603;
        private static final int FIRST_SERVER_ERROR_STATUS = 500;

        static CallResult of(Outcome outcome) {
            if (outcome instanceof Outcome.Failed failed) {
                return of(failed.failure());
            }
            var response = ((Outcome.Answered) outcome).response();
            return response.isError() ? of(JsonRpcErrorMapper.toFailure(response)) : SUCCESS;
        }

        /**
         * The reason for operators and other callers; without the server's own message, which is for its caller alone.
         */
        static String reason(Outcome outcome) {
            var failure = outcome instanceof Outcome.Failed failed
                    ? Optional.of(failed.failure())
                    : Optional.<Failure>empty();
            return failure.filter(why -> why.code() == ErrorCode.PROVIDER_INIT_FAILED
                            || why.serverError().isEmpty())
                    .map(Failure::message)
                    .orElse("it answered with an internal error");
        }

        /** Whether the server rejected the era or the headers of the request, which the next attempt corrects. */
        private static boolean isWrongAssumption(Failure failure) {
            return failure.code() == ErrorCode.UPSTREAM_INVALID && failure.delivery() == Delivery.REJECTED;
        }

        private static CallResult of(Failure failure) {
            if (failure.isBreakerOpen() || failure.isIsolated() || isWrongAssumption(failure)) {
                return IGNORED;
            }
            var status = failure.status();
            if (status.isPresent()) {
                return status.getAsInt() >= FIRST_SERVER_ERROR_STATUS ? FAILURE : IGNORED;
            }
            return switch (failure.code()) {
                case PROVIDER_UNAVAILABLE, PROVIDER_CRASHED, PROVIDER_INIT_FAILED -> CONNECTION_LOST;
                case PROVIDER_TIMEOUT, UPSTREAM_INVALID -> FAILURE;
                case SERVER_ERROR ->
                    failure.serverError()
                                    .filter(error -> error.code() == INTERNAL_ERROR)
                                    .isPresent()
                            ? FAILURE
                            : SUCCESS;
                // A defect of the bridge itself names no server and does not show whether the server works.
                case INTERNAL_ERROR -> failure.server().isEmpty() ? FAILURE : IGNORED;
                default -> IGNORED;
            };
        }
    }

    /** Provides {@code breaker}, which every server has unless its configuration says {@code none}. */
    public static final class BreakerProvider implements CallStageProvider {

        @Override
        public Id id() {
            return new Id("breaker", SPI_VERSION);
        }

        @Override
        public Place place() {
            return Place.BREAKER;
        }

        @Override
        public Optional<CallStage> create(StageContext context) {
            return Optional.of(new BreakerStage(BreakerSettings.from(context.settings()), context));
        }
    }
}
