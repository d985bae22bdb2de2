package io.mcpbridge.engine.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.tool.ToolHints;
import java.util.function.Supplier;

/**
 * Where a request leads.
 *
 * @param server the configured name of the server; empty for what the bridge answers itself
 * @param ownName the server's name of the tool or prompt, or the URI of the resource
 * @param exposedName the name that clients see
 * @param definition the raw JSON of the tool as its server lists it; empty where that is not known
 * @param hints what is known about the tool at the moment of asking
 * @param sandbox the sandbox level of the server's process; empty for a server that is no child of ours
 * @param next takes the call there, whichever server has the name by then
 */
public record Destination(
        String server,
        String ownName,
        String exposedName,
        String definition,
        Supplier<ToolHints> hints,
        String sandbox,
        Next next) {

    /** The bridge itself, which answers in {@code next}. */
    public static Destination ofBridge(Next next) {
        return ofServer("", "", "", next);
    }

    /** A server, for a request that names no tool. */
    public static Destination ofServer(String server, String name, String sandbox, Next next) {
        return new Destination(server, name, name, "", () -> ToolHints.UNDECLARED, sandbox, next);
    }

    /** The same under the name that clients see. */
    public Destination withExposedName(String exposed) {
        return new Destination(server, ownName, exposed, definition, hints, sandbox, next);
    }

    /** What the audit says of a call that leads here. */
    AuditedCall audited(Call call) {
        return AuditedCall.of(call, server, ownName, definition, sandbox);
    }
}
