package io.mcpbridge.downstream.calls;

import io.mcpbridge.call.Caller;
import io.mcpbridge.message.Notification;

/** Hears what clients tell servers outside of their calls. Any thread; never waits. */
public interface ClientNews {

    /** Nobody hears it. */
    ClientNews NOBODY = (caller, notification) -> {};

    /** A client has told something, such as that its roots have changed. */
    void told(Caller caller, Notification notification);
}
