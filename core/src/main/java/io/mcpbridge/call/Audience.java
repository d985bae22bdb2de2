package io.mcpbridge.call;

import io.mcpbridge.message.Notification;

/**
 * Where a client hears what belongs to none of its requests, such as that a resource has changed: a session of the
 * legacy era, or one {@code subscriptions/listen} of the modern one. Compared by identity. Any thread; never waits.
 */
public interface Audience {

    /** Nobody listens. */
    Audience NOBODY = new Audience() {
        @Override
        public void tell(Notification notification) {}

        @Override
        public Registration onGone(Runnable action) {
            action.run();
            return () -> {};
        }
    };

    /** Tells the client; dropped where it cannot take it. */
    void tell(Notification notification);

    /** Runs {@code action} once when nobody listens here any more; at once if that is so already. */
    Registration onGone(Runnable action);

    /** An action that waits for somebody to leave. */
    interface Registration {

        /** Takes the action back; harmless when it has run. */
        void remove();
    }
}
