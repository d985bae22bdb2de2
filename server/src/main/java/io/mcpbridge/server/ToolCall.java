package io.mcpbridge.server;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.TraceParent;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call, as the handler of the tool sees it. Made for one run of the handler; any thread may use it.
 *
 * <p>The thread of the handler is interrupted when the client cancels the call or leaves, or when the call times out.
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

    /** The name of the tool. */
    public String tool() {
        return tool;
    }

    /** The arguments, which passed validation: maps, lists, strings, {@code Long}, {@code BigDecimal}, booleans, nulls. */
    public Map<String, @Nullable Object> arguments() {
        return arguments;
    }

    /** The id of the call in logs and audit records. */
    public String correlationId() {
        return call.correlationId();
    }

    /** The trace of the call; {@link TraceParent#NONE} if the client sent none. */
    public TraceParent trace() {
        return call.trace();
    }

    /** The caller: user, client, era, and the capabilities that the client declared. */
    public Caller caller() {
        return call.caller();
    }

    /** The client, for progress, log messages and requests. */
    public CallingClient client() {
        return client;
    }

    /** The time until the call times out; it stops while the client answers a request. */
    public Duration remaining() {
        return call.deadline().remaining();
    }

    /** Whether the call is cancelled, so that its result is dropped. */
    public boolean isCancelled() {
        return call.cancellation().isCancelled();
    }

    /** Runs an action when the call is cancelled, or now if it is; the action must not block. */
    public void onCancel(Consumer<CancelReason> action) {
        call.cancellation().onCancel(action);
    }
}
