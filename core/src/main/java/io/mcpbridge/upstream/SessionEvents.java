package io.mcpbridge.upstream;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.upstream.admission.CallAdmission;
import io.mcpbridge.upstream.introduction.ServerProfile;

/** What an upstream hears from its slots. Never waits; any thread. */
interface SessionEvents {

    void connecting();

    /** A session is about to take calls, though none has seen it yet. */
    void opening(SessionSlot slot, UpstreamSession session, ServerProfile profile);

    /**
     * A session is ready.
     *
     * @param tries how many it took after its slot had lost one; 0 for the first session of the slot
     */
    void opened(SessionSlot slot, UpstreamSession session, ServerProfile profile, int tries);

    /** A slot has its first session, and somebody had asked for it in vain. */
    void openedLate();

    void openingFailed(Failure why);

    void disconnected(Closed why);

    /** Nobody but a call tries to connect any more. */
    void exhausted(int tries, Failure why);

    /** Whether somebody has subscribed to something in the session of {@code slot}. */
    boolean isListenedTo(SessionSlot slot);

    /** Who hears of the sessions in {@code slot}. */
    SessionListener of(SessionSlot slot);

    /** Which calls may be sent. */
    CallAdmission admission();
}
