package io.mcpbridge.upstream;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.upstream.admission.CallAdmission;
import io.mcpbridge.upstream.introduction.ServerProfile;

/** What is heard of a session that is kept for one client: it says nothing of how the server is for all others. */
record SideEvents(SessionEvents events) implements SessionEvents {

    @Override
    public void connecting() {}

    @Override
    public void opening(SessionSlot slot, UpstreamSession session, ServerProfile profile) {
        events.opening(slot, session, profile);
    }

    @Override
    public void opened(SessionSlot slot, UpstreamSession session, ServerProfile profile, int tries) {
        events.opened(slot, session, profile, 0);
    }

    @Override
    public void openedLate() {}

    @Override
    public void openingFailed(Failure why) {}

    @Override
    public void disconnected(Closed why) {}

    @Override
    public void exhausted(int tries, Failure why) {}

    @Override
    public boolean isListenedTo(SessionSlot slot) {
        return events.isListenedTo(slot);
    }

    @Override
    public SessionListener of(SessionSlot slot) {
        return events.of(slot);
    }

    @Override
    public CallAdmission admission() {
        return events.admission();
    }
}
