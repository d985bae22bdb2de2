package io.mcpbridge.server;

import io.mcpbridge.tool.Content;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Handles the calls of a tool. It may block: each call has its own thread. */
@FunctionalInterface
public interface ToolHandler {

    /**
     * Handles a call.
     *
     * @return the result: records, maps, lists, strings, finite numbers, booleans or null; or a {@code CompletionStage}
     *     of it, for which the thread waits. If the call is cancelled meanwhile and the stage fails later, the failure is
     *     logged as {@code unhandledRejection}
     * @throws Exception if the tool fails; the client gets the message
     */
    @Nullable
    Object handle(ToolCall call) throws Exception;

    /**
     * The sandbox level of the process that handles calls, such as {@code L2}, for the audit; empty for this process.
     *
     * <p>If it is not empty, a {@code BridgeException} from {@link #handle} describes that process, and the audit records
     * it with its delivery. All other exceptions are errors of the tool.
     */
    default String sandbox() {
        return "";
    }

    /**
     * The JSON form of a result: records become maps, arrays become lists, and dates, URIs and other values with a string
     * form become strings. Other values stay as they are.
     */
    static @Nullable Object jsonForm(@Nullable Object result) {
        return PlainValues.of(result);
    }

    /**
     * Content blocks and structured content, for a handler that returns both; only for a tool {@linkplain
     * ToolConfig#withoutEnvelope without envelope}.
     *
     * @param structured a record or a map
     */
    record ToolOutput(List<Content> content, Object structured) {
        public ToolOutput {
            content = List.copyOf(content);
        }
    }
}
