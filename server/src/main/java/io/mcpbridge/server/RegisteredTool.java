package io.mcpbridge.server;

import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.tool.ToolHints;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A tool of a server.
 *
 * @param audited the tool as the audit records it
 * @param config has a schema
 * @param check checks arguments by the schema
 * @param binding makes the handler for arguments that passed the check; throws {@code InvalidArgumentsException}
 * @param executor runs one call at a time
 */
record RegisteredTool(
        AuditedCall audited,
        ToolConfig config,
        SchemaCheck check,
        Function<Map<String, @Nullable Object>, ToolHandler> binding,
        SerialCallQueue executor) {

    static AuditedCall audited(String name, ToolConfig config, String sandbox) {
        return new AuditedCall(Methods.TOOLS_CALL, "", name, definition(name, config), sandbox);
    }

    String name() {
        return audited.tool();
    }

    /** The element of {@code tools/list}. */
    String definition() {
        return audited.definition();
    }

    private static String definition(String name, ToolConfig config) {
        var members = new LinkedHashMap<String, String>();
        members.put("name", JsonStrings.quote(name));
        members.put("title", JsonStrings.quote(config.title().orElse(name)));
        if (!config.description().isEmpty()) {
            members.put("description", JsonStrings.quote(config.description()));
        }
        members.put("inputSchema", config.inputSchema());
        if (config.hints().declared()) {
            members.put("annotations", annotations(config.hints()));
        }
        return JsonCodec.object(members);
    }

    private static String annotations(ToolHints hints) {
        return "{\"readOnlyHint\":%s,\"destructiveHint\":%s,\"idempotentHint\":%s,\"openWorldHint\":%s}"
                .formatted(hints.readOnly(), hints.destructive(), hints.idempotent(), hints.openWorld());
    }
}
