package io.mcpbridge.upstream.isolation;

import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.Failure;

/** A call that wants a process; it is seated or refused, unless it is withdrawn before. Any thread; nothing waits. */
public interface Guest<C> {

    /** Which process it wants. */
    ChildKind kind();

    /** Whose call it is, for whom a process introduces itself. */
    Caller caller();

    /** Goes on in this process; false if it was withdrawn meanwhile, so that another call may have it. */
    boolean sit(C child);

    /** Ends, as there is none. */
    void refuse(Failure why);
}
