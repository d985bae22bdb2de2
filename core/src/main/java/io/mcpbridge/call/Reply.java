package io.mcpbridge.call;

import io.mcpbridge.message.Message;

/**
 * The way back of one call. Any thread may use it.
 *
 * <p>Events may come while the call is under way; {@link #done} ends it. What comes after the end is dropped.
 */
@FunctionalInterface
public interface Reply {

    /** Ends the call. */
    void done(Outcome outcome);

    /** Passes on a progress or log notification of this call; dropped where only the outcome is of interest. */
    default void event(Message progressOrLog) {}
}
