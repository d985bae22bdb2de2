package io.mcpbridge.call;

import io.mcpbridge.call.Cancellation.Registration;
import io.mcpbridge.message.Notification;

/**
 * Where a client hears what belongs to none of its requests, such as that a resource has changed: a session of the
 * legacy era, or one {@code subscriptions/listen} of the modern one. Compared by identity. Any thread; never waits.
 */
public interface NotificationSink {

    /** No client listens. */
    NotificationSink NONE = new NotificationSink() {
        @Override
        public void send(Notification notification) {}

        @Override
        public Registration onClosed(Runnable action) {
            action.run();
            return () -> {};
        }
    };

    /** Tells the client; dropped where it cannot take it. */
    void send(Notification notification);

    /** Runs {@code action} once when the client is gone; at once if it is gone already. */
    Registration onClosed(Runnable action);
}
