package io.mcpbridge.call;

/** Watches one call without taking part in it. Never waits; any thread. */
public interface CallWatch {

    /** Nobody watches. */
    CallWatch NONE = new CallWatch() {};

    /** An attempt is handed to a server; what is returned watches it. */
    default AttemptWatch attempted(CallAttempt attempt) {
        return AttemptWatch.NONE;
    }

    /** The trace that the call belongs to, with the span that stands for it; none where it is not traced. */
    default TraceParent trace() {
        return TraceParent.NONE;
    }

    /** The call has its outcome. An attempt may end later, such as one that was left behind. */
    default void ended(Outcome outcome) {}
}
