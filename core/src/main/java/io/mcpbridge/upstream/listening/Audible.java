package io.mcpbridge.upstream.listening;

import io.mcpbridge.message.Notification;

/** Where goes what is heard from a server. Never waits; any thread. */
public interface Audible {

    /** The server told of a change. */
    void notified(Notification notification);

    /** The server sent something that belongs to nobody, and that is described for the log. */
    void dropped(String what);
}
