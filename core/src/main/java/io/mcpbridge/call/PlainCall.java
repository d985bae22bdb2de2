package io.mcpbridge.call;

import io.mcpbridge.message.Request;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call as its maker describes it. Compared by identity, since two clients may send equal requests. Immutable, apart
 * from its cancellation.
 *
 * @param waiting the thread of the caller if it only waits for the outcome
 */
record PlainCall(
        Request request,
        Caller caller,
        String correlationId,
        Deadline deadline,
        Cancellation cancellation,
        RequestOrigin origin,
        Optional<IdempotencyKey> idempotencyKey,
        Optional<String> exposedName,
        AttemptTracer attemptTracer,
        @Nullable Thread waiting)
        implements Call {

    /**
     * A copy of a call that differs in these parts.
     *
     * @param callerWaits whether the current thread only waits for the outcome
     */
    static PlainCall of(
            Call original,
            Deadline deadline,
            Cancellation cancellation,
            Optional<IdempotencyKey> idempotencyKey,
            boolean callerWaits) {
        return new PlainCall(
                original.request(),
                original.caller(),
                original.correlationId(),
                deadline,
                cancellation,
                original.origin(),
                idempotencyKey,
                original.exposedName(),
                original.attemptTracer(),
                callerWaits ? Thread.currentThread() : null);
    }

    @Override
    public boolean callerWaits() {
        return waiting == Thread.currentThread();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    /** Has the id only: a request may have secrets. */
    @Override
    public String toString() {
        return "call " + correlationId;
    }
}
