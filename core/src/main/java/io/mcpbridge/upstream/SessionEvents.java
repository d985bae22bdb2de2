package io.mcpbridge.upstream;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Closed;

/** What an upstream hears from its slots. Never waits; any thread. */
interface SessionEvents {

    void connecting();

    /**
     * A session is ready.
     *
     * @param again whether its slot had one before
     */
    void opened(SessionSlot slot, UpstreamSession session, ServerProfile profile, boolean again);

    void openingFailed(Failure why);

    void disconnected(Closed why);

    /** Who hears of the sessions in {@code slot}. */
    SessionListener of(SessionSlot slot);
}
