package io.mcpbridge.call;

import io.mcpbridge.message.Request;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call as its maker describes it. Compared by identity, since two clients may send equal requests. Immutable, apart
 * from its cancellation.
 */
final class PlainCall implements Call {
    private final Request request;
    private final Caller caller;
    private final String correlationId;
    private final Deadline deadline;
    private final Cancellation cancellation;
    private final RequestOrigin origin;
    private final Optional<IdempotencyKey> idempotencyKey;
    private final Optional<String> exposedName;
    private final AttemptTracer attemptTracer;
    private final @Nullable Thread waiting;

    /** A new call, which is not cancelled. */
    PlainCall(Request request, Caller caller, String correlationId, Deadline deadline, RequestOrigin origin) {
        this.request = request;
        this.caller = caller;
        this.correlationId = correlationId;
        this.deadline = deadline;
        this.cancellation = new Cancellation();
        this.origin = origin;
        this.idempotencyKey = Optional.empty();
        this.exposedName = Optional.empty();
        this.attemptTracer = AttemptTracer.NONE;
        this.waiting = null;
    }

    /**
     * A copy of a call that differs in these parts.
     *
     * @param callerWaits whether the current thread only waits for the outcome
     */
    PlainCall(
            Call original,
            Deadline deadline,
            Cancellation cancellation,
            Optional<IdempotencyKey> idempotencyKey,
            boolean callerWaits) {
        this.request = original.request();
        this.caller = original.caller();
        this.correlationId = original.correlationId();
        this.deadline = deadline;
        this.cancellation = cancellation;
        this.origin = original.origin();
        this.idempotencyKey = idempotencyKey;
        this.exposedName = original.exposedName();
        this.attemptTracer = original.attemptTracer();
        this.waiting = callerWaits ? Thread.currentThread() : null;
    }

    @Override
    public Request request() {
        return request;
    }

    @Override
    public Caller caller() {
        return caller;
    }

    @Override
    public String correlationId() {
        return correlationId;
    }

    @Override
    public Deadline deadline() {
        return deadline;
    }

    @Override
    public Cancellation cancellation() {
        return cancellation;
    }

    @Override
    public RequestOrigin origin() {
        return origin;
    }

    @Override
    public Optional<IdempotencyKey> idempotencyKey() {
        return idempotencyKey;
    }

    @Override
    public Optional<String> exposedName() {
        return exposedName;
    }

    @Override
    public boolean callerWaits() {
        return waiting == Thread.currentThread();
    }

    @Override
    public AttemptTracer attemptTracer() {
        return attemptTracer;
    }
}
