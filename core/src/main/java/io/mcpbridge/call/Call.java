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
        return of(request, caller, correlationId, deadline, Arrival.UNKNOWN);
    }

    /** A call of a client, whose request came in this way. */
    static Call of(Request request, Caller caller, String correlationId, Deadline deadline, Arrival arrival) {
        return new PlainCall(request, caller, correlationId, deadline, arrival);
    }

    Request request();

    Caller caller();

    /** Follows the call through logs, events, audit and errors. */
    String correlationId();

    /** When the caller stops waiting. */
    Deadline deadline();

    Cancellation cancellation();

    /** Headers for the server. */
    default Metadata metadata() {
        return Metadata.EMPTY;
    }

    /** How the request came in; its headers are not for servers. */
    default Arrival arrival() {
        return Arrival.UNKNOWN;
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
    default CallWatch watch() {
        return CallWatch.NONE;
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
                        .metadata()
                        .first("traceparent")
                        .map(TraceParent::read)
                        .orElse(TraceParent.NONE);
    }

    /** Observes the attempt that this is; {@link AttemptWatch#NONE} before it is one. */
    default AttemptWatch attempt() {
        return AttemptWatch.NONE;
    }

    /** A copy with the way that the request came in. */
    default Call withArrival(Arrival arrival) {
        var copy = new PlainCall(this);
        copy.arrival = arrival;
        return copy;
    }

    default Call withIdempotencyKey(IdempotencyKey key) {
        var copy = new PlainCall(this);
        copy.key = Optional.of(key);
        return copy;
    }

    default Call withDeadline(Deadline deadline) {
        var copy = new PlainCall(this);
        copy.deadline = deadline;
        return copy;
    }

    default Call withCancellation(Cancellation cancellation) {
        var copy = new PlainCall(this);
        copy.cancellation = cancellation;
        return copy;
    }

    /** A copy that the current thread makes, which then does nothing but wait for the outcome. */
    default Call withCallerWaiting() {
        var copy = new PlainCall(this);
        copy.waiting = Thread.currentThread();
        return copy;
    }

    /** A call as a value: what its maker said of it. Immutable once it is made, except for its {@link Cancellation}. */
    final class PlainCall implements Call {
        private final Request request;
        private final Caller caller;
        private final String correlationId;
        private final AttemptWatch attempt;
        private final Optional<String> exposedName;
        private Deadline deadline;
        private Cancellation cancellation;
        private Arrival arrival;
        private Optional<IdempotencyKey> key;
        private @Nullable Thread waiting;

        private PlainCall(Request request, Caller caller, String correlationId, Deadline deadline, Arrival arrival) {
            this.request = request;
            this.caller = caller;
            this.correlationId = correlationId;
            this.attempt = AttemptWatch.NONE;
            this.exposedName = Optional.empty();
            this.deadline = deadline;
            this.cancellation = new Cancellation();
            this.arrival = arrival;
            this.key = Optional.empty();
        }

        private PlainCall(Call from) {
            this.request = from.request();
            this.caller = from.caller();
            this.correlationId = from.correlationId();
            this.attempt = from.attempt();
            this.exposedName = from.exposedName();
            this.deadline = from.deadline();
            this.cancellation = from.cancellation();
            this.arrival = from.arrival();
            this.key = from.idempotencyKey();
            this.waiting = from.callerWaits() ? Thread.currentThread() : null;
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
        public Arrival arrival() {
            return arrival;
        }

        @Override
        public Optional<IdempotencyKey> idempotencyKey() {
            return key;
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
        public AttemptWatch attempt() {
            return attempt;
        }
    }
}
