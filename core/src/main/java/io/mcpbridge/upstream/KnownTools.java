package io.mcpbridge.upstream;

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

    /** Whether that is what the server lists in the sessions that are open now, as far as it has said. */
    boolean isCurrent(Caller caller);

    /** Asks the server unless what is known is current, and goes on then. */
    void refresh(Caller caller, Runnable then, Consumer<Failure> failed);
}
