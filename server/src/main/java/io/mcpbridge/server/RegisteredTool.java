package io.mcpbridge.server;

import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.tool.ToolHints;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A tool of a server.
 *
 * @param definition the element of {@code tools/list}
 * @param sandbox the sandbox of the process of its handlers; empty if they run in this process
 * @param config has a schema
 * @param check checks arguments by the schema
 * @param results writes what handlers return
 * @param binding makes the handler for arguments that passed the check; throws {@code InvalidArgumentsException}
 * @param executor runs one call at a time
 */
record RegisteredTool(
        String name,
        String definition,
        String sandbox,
        ToolConfig config,
        SchemaCheck check,
        ResultWriter results,
        Function<Map<String, @Nullable Object>, ToolHandler> binding,
        SerialCallQueue executor) {

    static String definition(String name, ToolConfig config, String outputSchema) {
        var members = new LinkedHashMap<String, String>();
        members.put("name", JsonStrings.quote(name));
        members.put("title", JsonStrings.quote(config.title().isEmpty() ? name : config.title()));
        if (!config.description().isEmpty()) {
            members.put("description", JsonStrings.quote(config.description()));
        }
        members.put("inputSchema", config.inputSchema());
        if (!outputSchema.isEmpty()) {
            members.put("outputSchema", outputSchema);
        }
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
