package io.mcpbridge.agents;

/**
 * Sees the tool calls of an agent as they happen. Calls run in parallel, so that its methods may run on several threads at
 * the same time; they must not block.
 */
public interface AgentListener {
    /** Sees nothing. */
    AgentListener NONE = new AgentListener() {};

    /**
     * A call begins.
     *
     * @param tool {@code server.tool}, or the name that the model wrote if there is no such tool
     * @param arguments as the model wrote them
     */
    default void started(String tool, String arguments) {}

    /** A call has ended. */
    default void ended(AgentResult.Call call) {}
}
