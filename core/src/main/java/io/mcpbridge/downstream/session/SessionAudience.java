package io.mcpbridge.downstream.session;

import io.mcpbridge.call.Audience;
import io.mcpbridge.downstream.listening.Departure;
import io.mcpbridge.message.Notification;

/** A session of the legacy era as one who listens; it is gone when the session has ended. Compared by identity. */
final class SessionAudience implements Audience {
    private final Streams streams;
    private final Departure departure = new Departure();

    SessionAudience(Streams streams) {
        this.streams = streams;
    }

    @Override
    public void tell(Notification notification) {
        streams.offer(notification);
    }

    @Override
    public Registration onGone(Runnable action) {
        return departure.then(action);
    }

    void leave() {
        departure.happen();
    }
}
