package io.mcpbridge.sandbox.worker;

/** Why the pool ends a worker in the middle of a call. */
enum Cut {
    /** The call's time is up. */
    TIMED_OUT,
    /** Nobody wants the result any more. */
    WITHDRAWN,
    /** The pool is being closed. */
    CLOSED
}
