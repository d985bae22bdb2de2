package io.mcpbridge.upstream.toolcalls;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Reply;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.admission.CallQueue;
import io.mcpbridge.upstream.isolation.PooledChild;
import java.util.Map;

/** A session, with a process of its own, that is there for one call. Any thread. */
public interface IsolatedChild extends PooledChild {

    /** What tools it has, as far as it was asked and has not said otherwise since. */
    Map<String, ToolDefinition> tools();

    /**
     * Its call begins, and is sent; whom it asks from here on is the one who made that.
     *
     * @param place is left when the call is written
     */
    void serve(Call call, Reply reply, CallQueue.Place place);

    /** Whether it was worth its start: it answered, or lived for a while. */
    boolean wasWorthIt();
}
