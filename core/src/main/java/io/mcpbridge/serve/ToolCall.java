package io.mcpbridge.serve;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call as the tool's handler sees it. Made for one run of the handler; any thread may use it.
 *
 * <p>When the client withdraws the call, leaves, or its time is up, the handler's thread is interrupted.
 */
public final class ToolCall {
    private final String tool;
    private final Map<String, @Nullable Object> arguments;
    private final Call call;
    private final CallingClient client;

    ToolCall(String tool, Map<String, @Nullable Object> arguments, Call call, CallingClient client) {
        this.tool = tool;
        this.arguments = arguments;
        this.call = call;
        this.client = client;
    }

    /** The tool's name. */
    public String tool() {
        return tool;
    }

    /** The arguments, which fit the schema: maps, lists, strings, {@code Long}, {@code BigDecimal}, booleans, nulls. */
    public Map<String, @Nullable Object> arguments() {
        return arguments;
    }

    /** Follows the call through logs and audit. */
    public String correlationId() {
        return call.correlationId();
    }

    /** Who calls: user, client, era, and what the client declared. */
    public Caller caller() {
        return call.caller();
    }

    /** The client, to be told and to be asked. */
    public CallingClient client() {
        return client;
    }

    /** How much time is left; it stands still while the client is asked. */
    public Duration remaining() {
        return call.deadline().remaining();
    }

    /** Whether nobody wants the result any more. */
    public boolean isCancelled() {
        return call.cancellation().isCancelled();
    }

    /** Runs {@code action} when nobody wants the result any more, at once if that is so already; it must not wait. */
    public void onCancel(Consumer<CancelReason> action) {
        call.cancellation().onCancel(action);
    }
}
