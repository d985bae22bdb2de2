package io.mcpbridge.call;

import io.mcpbridge.message.Request;
import java.util.function.BooleanSupplier;

/** Watches one call without taking part in it. Never waits; any thread. */
public interface CallTracer {

    /** Watches nothing. */
    CallTracer NONE = new CallTracer() {};

    /** An attempt is handed to a server; what is returned watches it. */
    default AttemptTracer attempted(CallAttempt attempt) {
        return AttemptTracer.NONE;
    }

    /** The trace that the call belongs to, with its span; none where it is not traced. */
    default TraceParent trace() {
        return TraceParent.NONE;
    }

    /** The call has its outcome. An attempt may end later. */
    default void ended(Outcome outcome) {}

    /**
     * One attempt of a call.
     *
     * @param request as the server receives it, with the server's own names
     * @param correlationId of the call
     * @param server its configured name
     * @param number counts from 1
     * @param listed whether a list of the server has the tool or prompt that the request names
     */
    record CallAttempt(Request request, String correlationId, String server, int number, BooleanSupplier listed) {

        public CallAttempt withNumber(int newNumber) {
            return new CallAttempt(request, correlationId, server, newNumber, listed);
        }

        /** Whether the name in the request is one of a bounded number. */
        public boolean namesListed() {
            return listed.getAsBoolean();
        }
    }
}
