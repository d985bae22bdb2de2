package io.mcpbridge.call;

import io.mcpbridge.call.Cancellation.Registration;
import io.mcpbridge.message.Notification;

/**
 * Sends a client the notifications that belong to none of its requests, such as the change of a resource. An
 * implementation is a session of the legacy era, or one {@code subscriptions/listen} stream of the modern era. Compared
 * by identity. Any thread; never blocks.
 */
public interface NotificationSink {

    /** Drops all notifications, and is closed. */
    NotificationSink NONE = new NotificationSink() {
        @Override
        public void send(Notification notification) {}

        @Override
        public Registration onClosed(Runnable action) {
            action.run();
            return () -> {};
        }
    };

    /** Sends {@code notification} to the client; drops it if the client cannot receive it. */
    void send(Notification notification);

    /**
     * Runs {@code action} once when the client has disconnected or its stream has ended; at once if that has happened.
     */
    Registration onClosed(Runnable action);
}
