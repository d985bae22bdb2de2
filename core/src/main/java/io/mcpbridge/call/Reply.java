package io.mcpbridge.call;

import io.mcpbridge.message.Message;

/**
 * Receives the notifications and the outcome of one call. Any thread may use it.
 *
 * <p>Events may arrive while the call is in progress; {@link #complete} ends it. Later events and outcomes are dropped.
 */
@FunctionalInterface
public interface Reply {

    /** Ends the call. */
    void complete(Outcome outcome);

    /**
     * Passes on a progress or log notification of this call; an implementation that needs only the outcome drops it.
     */
    default void event(Message progressOrLog) {}
}
