package io.mcpbridge.call;

import io.mcpbridge.message.Request;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * One client-visible request in progress, as handlers, observers and log lines see it. Any thread may use it.
 *
 * <p>A client session or the front door makes a call with {@link #of}. In the pipeline of stages, the engine wraps it
 * in a {@code CallContext}, which is also a {@code Call}.
 */
public interface Call {

    /** A new correlation id: 16 hexadecimal digits, unique for logs and audits, and no secret. */
    static String newCorrelationId(RandomGenerator random) {
        return HexFormat.of().toHexDigits(random.nextLong());
    }

    /** A call that is not cancelled. */
    static Call of(Request request, Caller caller, String correlationId, Deadline deadline) {
        return of(request, caller, correlationId, deadline, RequestOrigin.UNKNOWN);
    }

    /** A call of a client whose request arrived from {@code arrival}. */
    static Call of(Request request, Caller caller, String correlationId, Deadline deadline, RequestOrigin arrival) {
        return new PlainCall(
                request,
                caller,
                correlationId,
                deadline,
                new Cancellation(),
                arrival,
                Optional.empty(),
                Optional.empty(),
                AttemptTracer.NONE,
                null);
    }

    Request request();

    Caller caller();

    /** The caller, for requests of the bridge that this call causes. */
    default Caller causer() {
        return caller().withCause(correlationId());
    }

    /** The id of the call in logs, events, audit records and errors. */
    String correlationId();

    /** When the caller stops waiting. */
    Deadline deadline();

    Cancellation cancellation();

    /** Headers for the server. */
    default MessageHeaders headers() {
        return MessageHeaders.EMPTY;
    }

    /** The origin of the request; its headers are not sent to servers. */
    default RequestOrigin origin() {
        return RequestOrigin.UNKNOWN;
    }

    /** The same for all attempts of a call; empty before the first attempt. */
    default Optional<IdempotencyKey> idempotencyKey() {
        return Optional.empty();
    }

    /** The name that the client uses for the tool or prompt; empty if unknown. */
    default Optional<String> exposedName() {
        return Optional.empty();
    }

    /**
     * Whether the current thread is the caller's and only waits for the outcome, so that it may be used for sending.
     * False on any other thread, such as the one that resumes a suspended call.
     */
    default boolean callerWaits() {
        return false;
    }

    /** The tracer of the call. */
    default CallTracer tracer() {
        return CallTracer.NONE;
    }

    /**
     * The trace that an observer assigned to the call; by default, the one that the client sent in {@code _meta} or as
     * a header.
     */
    default TraceParent trace() {
        var observed = tracer().trace();
        if (observed.isPresent()) {
            return observed;
        }
        var sent = TraceParent.of(request());
        return sent.isPresent()
                ? sent
                : origin().headers().first("traceparent").map(TraceParent::read).orElse(TraceParent.NONE);
    }

    /** The tracer of this attempt; {@link AttemptTracer#NONE} if the call is not an attempt. */
    default AttemptTracer attemptTracer() {
        return AttemptTracer.NONE;
    }

    default Call withIdempotencyKey(IdempotencyKey key) {
        return PlainCall.of(this, deadline(), cancellation(), Optional.of(key), callerWaits());
    }

    default Call withDeadline(Deadline deadline) {
        return PlainCall.of(this, deadline, cancellation(), idempotencyKey(), callerWaits());
    }

    default Call withCancellation(Cancellation cancellation) {
        return PlainCall.of(this, deadline(), cancellation, idempotencyKey(), callerWaits());
    }

    /** A copy for the case that the current thread only waits for the outcome from now on. */
    default Call withCallerWaiting() {
        return PlainCall.of(this, deadline(), cancellation(), idempotencyKey(), true);
    }
}
