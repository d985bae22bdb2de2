package io.mcpbridge.upstream;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Closed;

/** What an upstream hears from its slots. Never waits; any thread. */
interface SessionEvents {

    void connecting();

    void opened(UpstreamSession session, ServerProfile profile);

    void openingFailed(Failure why);

    void disconnected(Closed why);

    /** Who hears of the sessions in {@code slot}. */
    SessionListener of(SessionSlot slot);
}
