package io.mcpbridge.routing;

import io.mcpbridge.call.Caller;
import io.mcpbridge.message.Era;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.translate.LegacySchema;
import java.util.LinkedHashMap;

/** Describes tools of modern servers to clients of the legacy era, as their results are changed for them. Pure. */
final class LegacyTools {

    private LegacyTools() {}

    static MergedList<ToolDefinition> shown(Routes table, Caller caller, MergedList<ToolDefinition> list) {
        if (caller.era() != Era.LEGACY) {
            return list;
        }
        var shown = new LinkedHashMap<String, ToolDefinition>();
        list.exposed()
                .forEach((name, tool) ->
                        shown.put(name, isModern(table, list, name) ? LegacySchema.downgrade(tool) : tool));
        return new MergedList<>(shown, list.owners(), list.leftOut(), list.missing());
    }

    private static boolean isModern(Routes table, MergedList<ToolDefinition> list, String name) {
        return list.owner(name)
                .flatMap(own -> table.find(own.server()))
                .flatMap(route -> route.upstream().era())
                .filter(era -> era == Era.MODERN)
                .isPresent();
    }
}
