package io.mcpbridge.engine.upstream.isolated;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Reply;
import io.mcpbridge.engine.upstream.affinity.SessionKey;
import io.mcpbridge.engine.upstream.connection.CallQueueLimit;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.ToolDefinition;
import java.util.Map;
import java.util.Optional;

/** A process of a server that is started for one call, with the connection to it. Any thread may use it. */
public interface SingleUseProcess {

    /** Begins to start it and to connect; its listener receives the result. Does not wait. */
    void start();

    /** Why it has ended; empty while it runs. */
    Optional<Failure> failure();

    /** The tools that it listed; empty if it was not asked, or has reported a change since. */
    Map<String, ToolDefinition> tools();

    /**
     * Sends it its call. Its questions go to the caller from here on.
     *
     * @param place is left when the call is written
     */
    void serve(Call call, Reply reply, CallQueueLimit.Place place);

    /** Asks it to end; does not wait. A {@link #close} that follows waits the shorter for it. */
    void hangUp();

    /** Ends it in good order, with all that it started, or cancels its start. Waits until it is gone, for a bounded time. */
    void close();

    /** Kills it, with all that it started. Waits until it is gone, for a bounded time. */
    void kill();

    /**
     * For which calls a process can be used.
     *
     * @param key the key of their sessions
     * @param memoryMb how many MiB the process may use; 0 for no limit of its own
     */
    record Kind(SessionKey key, int memoryMb) {}

    /** A call that waits for a process: it is accepted or rejected once, unless it leaves before. */
    interface Waiter {

        Kind kind();

        Caller caller();

        /** Identifies the process that has had the last round of the call; empty if this is the first one. */
        Optional<ResumeKey> resumeKey();

        /** Begins the call in this process; false if the call has ended before, so that another one gets the process. */
        boolean accept(SingleUseProcess process);

        void reject(Failure why);
    }

    /**
     * Identifies the next round of a call.
     *
     * @param principal whose call it is
     * @param tool which tool is called; its limits hold for the process
     * @param state the state that the server returned for the next round
     */
    record ResumeKey(Principal principal, String tool, String state) {}

    /** Receives either {@link #ready} or {@link #failed}, and later how it ended. Any thread calls it. */
    interface Listener {

        /** It may have its call. */
        void ready(SingleUseProcess process);

        /** It could not be started; {@link #gone} follows. */
        void failed(SingleUseProcess process, Failure why);

        /** After it has failed: nothing of it is left. */
        void gone(SingleUseProcess process);

        /**
         * It has ended by itself after it was ready.
         *
         * @param wasUseful whether it answered, or ran for a while
         */
        void ended(SingleUseProcess process, Failure why, boolean wasUseful);
    }

    /** Makes processes that are not started yet. */
    @FunctionalInterface
    interface Factory {

        /** A process of this kind, connected for {@code caller}. */
        SingleUseProcess create(Kind kind, Caller caller, Listener listener);
    }
}
