package io.mcpbridge.server;

import org.jspecify.annotations.Nullable;

/**
 * Handles the calls of a tool whose arguments are a Java record.
 *
 * @param <A> the record
 */
@FunctionalInterface
public interface RecordHandler<A extends Record> {

    /**
     * Handles a call, like {@link ToolHandler#handle}.
     *
     * @param arguments the arguments of the call
     */
    @Nullable
    Object handle(A arguments, ToolCall call) throws Exception;
}
