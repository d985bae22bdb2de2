package io.mcpbridge.spi;

import io.mcpbridge.call.Principal;
import io.mcpbridge.call.TraceParent;

/**
 * A call begins. All of it is as it came: what of it may be kept, and in which form, is for the sink to say.
 *
 * @param correlationId the same in the exit
 * @param arguments the raw JSON of the arguments; an empty object where there are none
 * @param principal who calls
 * @param clientId the id that the client gave itself, or the empty string
 * @param trace that the call belongs to
 * @param continues the correlation id of the call that ended in a question, whose answer this one brings, or the empty
 *     string
 * @param nanoTime the monotonic reading
 */
public record ToolEnter(
        String correlationId,
        AuditedCall call,
        String arguments,
        Principal principal,
        String clientId,
        TraceParent trace,
        String continues,
        long nanoTime) {

    /** Of a call that is in no trace, and continues no other. */
    public ToolEnter(
            String correlationId,
            AuditedCall call,
            String arguments,
            Principal principal,
            String clientId,
            long nanoTime) {
        this(correlationId, call, arguments, principal, clientId, TraceParent.NONE, "", nanoTime);
    }

    /** What is asked for: {@code tools/call}, for example. */
    public String method() {
        return call.method();
    }

    /** The configured name of the server, or the empty string. */
    public String server() {
        return call.server();
    }

    /** The name at its server of what is called. */
    public String tool() {
        return call.tool();
    }

    /** The raw JSON of the tool as its server lists it, or the empty string. */
    public String definition() {
        return call.definition();
    }
}
