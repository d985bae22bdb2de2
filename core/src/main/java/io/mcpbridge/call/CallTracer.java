package io.mcpbridge.call;

import io.mcpbridge.message.Request;
import java.util.function.BooleanSupplier;

/** Traces one call and does not change it. Never blocks; any thread. */
public interface CallTracer {

    /** Traces nothing. */
    CallTracer NONE = new CallTracer() {};

    /** Called when an attempt is passed to a server; returns the tracer of the attempt. */
    default AttemptTracer attempted(CallAttempt attempt) {
        return AttemptTracer.NONE;
    }

    /** The trace of the call, with its span; {@link TraceParent#NONE} if the call is not traced. */
    default TraceParent trace() {
        return TraceParent.NONE;
    }

    /** Called when the call has its outcome. An attempt may end later. */
    default void ended(Outcome outcome) {}

    /**
     * One attempt of a call.
     *
     * @param request the request that the server receives, with the server's own names
     * @param correlationId the correlation id of the call
     * @param server the configured name of the server
     * @param number counts from 1
     * @param listed whether a list of the server has the tool or prompt that the request names
     */
    record CallAttempt(Request request, String correlationId, String server, int number, BooleanSupplier listed) {

        public CallAttempt withNumber(int newNumber) {
            return new CallAttempt(request, correlationId, server, newNumber, listed);
        }

        /** Whether a list of the server has the name in the request, so that the set of such names is bounded. */
        public boolean namesListed() {
            return listed.getAsBoolean();
        }
    }
}
