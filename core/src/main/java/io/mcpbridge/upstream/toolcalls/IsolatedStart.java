package io.mcpbridge.upstream.toolcalls;

import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.upstream.isolation.ChildKind;

/** One process that is being started for one call. Used once; any thread, and nothing waits. */
public interface IsolatedStart {

    void begin();

    /** Asks what is there of it to end; {@link #giveUp} follows. */
    void hangUp();

    /** Begins to end what is there of it. */
    void giveUp();

    /** Begins to kill what is there of it. */
    void kill();

    /** For which calls it is. */
    ChildKind kind();

    /** Hears how starts end, and later of the ends of what was started. */
    interface Ending {
        void started(IsolatedStart start, IsolatedChild child);

        void failed(IsolatedStart start, Failure why);

        /** After it has failed: its process is gone. */
        void gone(IsolatedStart start);

        void ended(IsolatedChild child, Failure why);
    }

    /** Makes starts. */
    interface Starter {

        /** One that has not begun, of a process that introduces itself for {@code caller}. */
        IsolatedStart start(ChildKind kind, Caller caller, Ending ending);
    }
}
