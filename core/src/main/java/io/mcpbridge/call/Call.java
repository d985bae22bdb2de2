package io.mcpbridge.call;

import io.mcpbridge.message.Request;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One request under way, as those see it who read it: handlers, observers, log lines. Any thread may use it.
 *
 * <p>A client session or the front door makes a call with {@link #of}. On its way through the stages the engine
 * represents it by a {@code CallContext}, which is a call too.
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

    /** A call of a client, whose request came in this way. */
    static Call of(Request request, Caller caller, String correlationId, Deadline deadline, RequestOrigin arrival) {
        return plain(
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

    /** Follows the call through logs, events, audit and errors. */
    String correlationId();

    /** When the caller stops waiting. */
    Deadline deadline();

    Cancellation cancellation();

    /** Headers for the server. */
    default MessageHeaders headers() {
        return MessageHeaders.EMPTY;
    }

    /** How the request came in; its headers are not for servers. */
    default RequestOrigin arrival() {
        return RequestOrigin.UNKNOWN;
    }

    /** The same for all attempts of a call; empty before the first attempt. */
    default Optional<IdempotencyKey> idempotencyKey() {
        return Optional.empty();
    }

    /** The name that the client uses for the tool or prompt, where that is known. */
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

    /** Observes the call. */
    default CallTracer watch() {
        return CallTracer.NONE;
    }

    /** The trace that an observer put the call in, else the one that its client sent, in {@code _meta} or as a header. */
    default TraceParent trace() {
        var observed = watch().trace();
        if (observed.isPresent()) {
            return observed;
        }
        var sent = TraceParent.of(request());
        return sent.isPresent()
                ? sent
                : arrival()
                        .headers()
                        .first("traceparent")
                        .map(TraceParent::read)
                        .orElse(TraceParent.NONE);
    }

    /** Observes the attempt that this is; {@link AttemptTracer#NONE} before it is one. */
    default AttemptTracer attempt() {
        return AttemptTracer.NONE;
    }

    default Call withIdempotencyKey(IdempotencyKey key) {
        return copy(deadline(), cancellation(), Optional.of(key), callerWaits());
    }

    default Call withDeadline(Deadline deadline) {
        return copy(deadline, cancellation(), idempotencyKey(), callerWaits());
    }

    default Call withCancellation(Cancellation cancellation) {
        return copy(deadline(), cancellation, idempotencyKey(), callerWaits());
    }

    /** A copy that the current thread makes, which then does nothing but wait for the outcome. */
    default Call withCallerWaiting() {
        return copy(deadline(), cancellation(), idempotencyKey(), true);
    }

    private Call copy(Deadline deadline, Cancellation cancellation, Optional<IdempotencyKey> key, boolean waits) {
        var waiting = waits ? Thread.currentThread() : null;
        return plain(
                request(),
                caller(),
                correlationId(),
                deadline,
                cancellation,
                arrival(),
                key,
                exposedName(),
                attempt(),
                waiting);
    }

    private static Call plain(
            Request request,
            Caller caller,
            String correlationId,
            Deadline deadline,
            Cancellation cancellation,
            RequestOrigin arrival,
            Optional<IdempotencyKey> key,
            Optional<String> exposedName,
            AttemptTracer attempt,
            @Nullable Thread waiting) {
        // What its maker said of it. Compared by identity, since two clients may send the same.
        record PlainCall(
                Request request,
                Caller caller,
                String correlationId,
                Deadline deadline,
                Cancellation cancellation,
                RequestOrigin arrival,
                Optional<IdempotencyKey> idempotencyKey,
                Optional<String> exposedName,
                AttemptTracer attempt,
                @Nullable Thread waiting)
                implements Call {

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
        }
        return new PlainCall(
                request, caller, correlationId, deadline, cancellation, arrival, key, exposedName, attempt, waiting);
    }
}
