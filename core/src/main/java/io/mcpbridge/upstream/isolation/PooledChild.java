package io.mcpbridge.upstream.isolation;

import io.mcpbridge.failure.Failure;
import java.util.Optional;

/** A process that was started for one call and has introduced itself. Any thread. */
public interface PooledChild {

    /** For which calls it was started. */
    ChildKind kind();

    /** Why it has ended, once it has. */
    Optional<Failure> failure();

    /** Asks it to end without waiting; whoever ends it then waits no longer than it may take from now on. */
    void hangUp();

    /** Ends it in good order, and all that it started; waits until it is gone, for a bounded time. */
    void end();

    /** Kills it and all that it started; waits until it is gone, for a bounded time. */
    void kill();
}
