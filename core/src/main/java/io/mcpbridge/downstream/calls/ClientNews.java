package io.mcpbridge.downstream.calls;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Notification;

/** Hears what happens at clients outside of their calls. Any thread; never waits. */
public interface ClientNews {

    /** Nobody hears it. */
    ClientNews NOBODY = (caller, notification) -> {};

    /** A client has told something, such as that its roots have changed. */
    void told(Caller caller, Notification notification);

    /** A call of a client does not begin, since a limit forbids it or its id is in use. */
    default void refused(Call call, Failure why) {}
}
