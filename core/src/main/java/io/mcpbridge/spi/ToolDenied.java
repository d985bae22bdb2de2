package io.mcpbridge.spi;

import io.mcpbridge.call.Principal;
import io.mcpbridge.call.TraceParent;

/**
 * A call that was not admitted.
 *
 * @param correlationId of the call
 * @param call its {@code tool} is the name that the client used where no server is known for it
 * @param principal who called
 * @param clientId the id that the client gave itself, or the empty string
 * @param trace that the call belongs to
 * @param reason what forbids it
 */
public record ToolDenied(
        String correlationId,
        AuditedCall call,
        Principal principal,
        String clientId,
        TraceParent trace,
        String reason) {

    /** Of a call that is in no trace. */
    public ToolDenied(String correlationId, AuditedCall call, Principal principal, String clientId, String reason) {
        this(correlationId, call, principal, clientId, TraceParent.NONE, reason);
    }

    /** What was asked for: {@code tools/call}, for example. */
    public String method() {
        return call.method();
    }

    /** The configured name of the server, or the empty string. */
    public String server() {
        return call.server();
    }

    /** The name of what was called. */
    public String tool() {
        return call.tool();
    }
}
