package io.mcpbridge.downstream.calls;

import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;

/** Hears what happens at clients outside of their calls. Any thread; never waits. */
public interface ClientNews {

    /** Nobody hears it. */
    ClientNews NOBODY = (caller, notification) -> {};

    /** A client has told something, such as that its roots have changed. */
    void told(Caller caller, Notification notification);

    /** A request of a client does not become a call, since a limit forbids it. */
    default void refused(Caller caller, Request request, Failure why) {}
}
