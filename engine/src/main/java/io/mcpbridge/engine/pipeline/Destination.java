package io.mcpbridge.engine.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.tool.ToolHints;
import java.util.function.Supplier;

/**
 * The server and own name that a request resolves to.
 *
 * @param server the configured name of the server; empty if the bridge answers itself
 * @param ownName the server's name of the tool or prompt, or the URI of the resource
 * @param exposedName the name that clients see
 * @param definition the raw JSON of the tool as its server lists it; empty if unknown
 * @param hints the current hints about the tool
 * @param sandbox the sandbox level of the server's process; empty if the server is not a child process of the bridge
 * @param next sends the call to the server that has the name at that time
 */
public record Destination(
        String server,
        String ownName,
        String exposedName,
        String definition,
        Supplier<ToolHints> hints,
        String sandbox,
        Next next) {

    /** Returns the bridge as destination; {@code next} answers. */
    public static Destination ofBridge(Next next) {
        return ofServer("", "", "", next);
    }

    /** Returns a server as destination of a request that names no tool. */
    public static Destination ofServer(String server, String name, String sandbox, Next next) {
        return new Destination(server, name, name, "", () -> ToolHints.UNDECLARED, sandbox, next);
    }

    /** Returns the same destination with the exposed name. */
    public Destination withExposedName(String exposed) {
        return new Destination(server, ownName, exposed, definition, hints, sandbox, next);
    }

    /** Describes a call to this destination for the audit. */
    AuditedCall audited(Call call) {
        return AuditedCall.of(call, server, ownName, definition, sandbox);
    }
}
