package io.mcpbridge.upstream.admission;

import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.ToolDefinition;
import java.util.Optional;
import java.util.function.Consumer;

/** What is known of a server's tools, whose schemas say how they are called. Any thread; nothing here waits. */
public interface KnownTools {

    /** A tool as it is known to {@code caller}, without asking the server. */
    Optional<ToolDefinition> find(Caller caller, String tool);

    /** Asks the server anew, and goes on then. */
    void learn(Caller caller, Runnable then, Consumer<Failure> failed);

    /** The last word of the server that its tools may have changed; it grows from one to the next. */
    long lastChange(Caller caller);

    /** Whether the server has listed them in the sessions that are open now, and since its word {@code change}. */
    boolean isCurrent(Caller caller, long change);

    /**
     * Asks the server unless what is known is current, and goes on when it has listed; that may be what it was asked for
     * before, so whoever goes on looks again.
     */
    void refresh(Caller caller, long change, Consumer<Optional<Failure>> then);
}
