package io.mcpbridge.serve;

import org.jspecify.annotations.Nullable;

/**
 * A tool whose arguments are a Java record.
 *
 * @param <A> the record
 */
@FunctionalInterface
public interface RecordHandler<A extends Record> {

    /**
     * Does what the tool is for, as {@link ToolHandler#handle} does.
     *
     * @param arguments those of the call, which fit the record
     */
    @Nullable
    Object handle(A arguments, ToolCall call) throws Exception;
}
