package io.mcpbridge.testkit;

import io.mcpbridge.call.Principal;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.spi.AuditSink.AuditedCall;

/** Calls for tests of audit sinks. */
public final class AuditedCallFixture {

    private AuditedCallFixture() {}

    /**
     * An anonymous call without a trace, with the correlation id {@code 1}, to a server that is not a child process.
     */
    public static AuditedCall of(String method, String server, String tool, String definition) {
        return of(method, server, tool, definition, "");
    }

    /** The same call to a server in a sandbox. */
    public static AuditedCall of(String method, String server, String tool, String definition, String sandbox) {
        return new AuditedCall(
                "1", method, server, tool, definition, sandbox, Principal.ANONYMOUS, "client", TraceParent.NONE);
    }

    /** The same call with another id. */
    public static AuditedCall withId(AuditedCall call, String correlationId) {
        return by(call, correlationId, call.principal(), call.clientId());
    }

    /** The same call with another id, by another client. */
    public static AuditedCall by(AuditedCall call, String correlationId, Principal principal, String clientId) {
        return by(call, correlationId, principal, clientId, TraceParent.NONE);
    }

    /** The same call with another id, by another client, in a trace. */
    public static AuditedCall by(
            AuditedCall call, String correlationId, Principal principal, String clientId, TraceParent trace) {
        return new AuditedCall(
                correlationId,
                call.method(),
                call.server(),
                call.tool(),
                call.definition(),
                call.sandbox(),
                principal,
                clientId,
                trace);
    }
}
