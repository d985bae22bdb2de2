package io.mcpbridge.downstream.calls;

import io.mcpbridge.call.Caller;
import java.util.Optional;

/** What is known of the tools that clients call. Any thread; never waits and asks nobody. */
public interface ToolSchemas {

    /** Knows nothing, so nothing is checked. */
    ToolSchemas NONE = (caller, tool) -> Optional.empty();

    /**
     * The raw JSON of a tool's {@code inputSchema}; empty if the tool is unknown or was not listed yet.
     *
     * @param tool its name as clients see it
     */
    Optional<String> find(Caller caller, String tool);
}
