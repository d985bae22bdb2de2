package io.mcpbridge.spi;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.TraceParent;
import java.time.Duration;

/**
 * A call ends.
 *
 * @param correlationId the same as in the enter
 * @param principal who called, also where there is no enter to say so
 * @param clientId the id that the client gave itself, or the empty string
 * @param trace that the call belongs to
 * @param duration from enter to exit; zero for a call that never entered
 * @param attempts how often its server was tried for this very call; zero where it was not, as with an answer that was
 *     kept or shared, or one to a question that an earlier call asked
 * @param outcome the answer or the failure
 */
public record ToolExit(
        String correlationId,
        AuditedCall call,
        Principal principal,
        String clientId,
        TraceParent trace,
        Duration duration,
        int attempts,
        Outcome outcome) {

    /** Of a call that is in no trace. */
    public ToolExit(
            String correlationId,
            AuditedCall call,
            Principal principal,
            String clientId,
            Duration duration,
            int attempts,
            Outcome outcome) {
        this(correlationId, call, principal, clientId, TraceParent.NONE, duration, attempts, outcome);
    }

    /** What was asked for: {@code tools/call}, for example. */
    public String method() {
        return call.method();
    }

    /** The configured name of the server, or the empty string. */
    public String server() {
        return call.server();
    }

    /** The name at its server of what was called. */
    public String tool() {
        return call.tool();
    }

    /** The raw JSON of the tool as its server lists it, or the empty string. */
    public String definition() {
        return call.definition();
    }
}
