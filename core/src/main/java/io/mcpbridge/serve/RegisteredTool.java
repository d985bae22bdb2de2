package io.mcpbridge.serve;

import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.AuditedCall;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.tool.ToolHints;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A tool as it is served.
 *
 * @param audited what the audit is told of it
 * @param config with its schema
 * @param check of that schema
 * @param binding makes of arguments that fit what is to be done; throws {@code UnfitException} where they do not fit
 * @param turns lets one call run at a time
 */
record RegisteredTool(
        AuditedCall audited,
        ToolConfig config,
        SchemaCheck check,
        Function<Map<String, @Nullable Object>, ToolHandler> binding,
        Turns turns) {

    static AuditedCall audited(String name, ToolConfig config, String sandbox) {
        return new AuditedCall(Methods.TOOLS_CALL, "", name, definition(name, config), sandbox);
    }

    String name() {
        return audited.tool();
    }

    /** As it stands in {@code tools/list}. */
    String definition() {
        return audited.definition();
    }

    private static String definition(String name, ToolConfig config) {
        var members = new LinkedHashMap<String, String>();
        members.put("name", JsonText.quote(name));
        members.put("title", JsonText.quote(config.title().orElse(name)));
        if (!config.description().isEmpty()) {
            members.put("description", JsonText.quote(config.description()));
        }
        members.put("inputSchema", config.inputSchema());
        if (config.hints().declared()) {
            members.put("annotations", annotations(config.hints()));
        }
        return Json.object(members);
    }

    private static String annotations(ToolHints hints) {
        return "{\"readOnlyHint\":%s,\"destructiveHint\":%s,\"idempotentHint\":%s,\"openWorldHint\":%s}"
                .formatted(hints.readOnly(), hints.destructive(), hints.idempotent(), hints.openWorld());
    }
}
