package io.mcpbridge.call;

import io.mcpbridge.message.Message;

/**
 * The way back of one call. Any thread may use it.
 *
 * <p>Events may come while the call runs; {@link #done} ends it, and is called exactly once by whoever holds
 * the call. What comes after it is dropped.
 */
public interface Reply {

    /** Passes on a progress or log notification that belongs to this call. */
    void event(Message progressOrLog);

    /** Ends the call. */
    void done(Outcome outcome);
}
