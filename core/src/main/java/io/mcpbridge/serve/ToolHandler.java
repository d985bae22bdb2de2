package io.mcpbridge.serve;

import org.jspecify.annotations.Nullable;

/** A tool that is served. It may wait: each call has a thread of its own. */
@FunctionalInterface
public interface ToolHandler {

    /**
     * Does what the tool is for.
     *
     * @return the result: records, maps, lists, strings, finite numbers, booleans or null
     * @throws Exception if there is none; the client is told its message
     */
    @Nullable
    Object handle(ToolCall call) throws Exception;

    /**
     * How firmly the process is held in which it runs, such as {@code L2}, for the audit; empty where that is this one.
     *
     * <p>Where it is not empty, a {@code BridgeException} of {@link #handle} says what became of that process, and the
     * audit records it as it is, with how far the call got. Else it is the tool's own error, as is all else that it throws.
     */
    default String sandbox() {
        return "";
    }
}
