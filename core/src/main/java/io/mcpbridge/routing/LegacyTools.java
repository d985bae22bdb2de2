package io.mcpbridge.routing;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.translate.LegacySchema;
import io.mcpbridge.upstream.lists.ListKind;
import java.util.LinkedHashMap;

/** Tools of modern servers as clients of the legacy era get them described, and what they return. Pure. */
final class LegacyTools {

    private LegacyTools() {}

    static MergedList<ToolDefinition> shown(Routes table, Caller caller, MergedList<ToolDefinition> list) {
        if (caller.era() != Era.LEGACY) {
            return list;
        }
        var shown = new LinkedHashMap<String, ToolDefinition>();
        list.exposed()
                .forEach((name, tool) ->
                        shown.put(name, isLegacy(table, list, name) ? tool : LegacySchema.downgrade(tool)));
        return new MergedList<>(shown, list.owners(), list.leftOut(), list.missing());
    }

    /** The way back to a client of the legacy era that has called a tool of a modern server. */
    static Reply answered(Caller caller, ListKind<?> kind, NameOwners.Target target, Reply reply) {
        if (caller.era() != Era.LEGACY || kind != ListKind.TOOLS) {
            return reply;
        }
        var tools = target.route().lists().tools();
        return new WhenAnswered(
                target.route(), reply, LegacySchema.downgrade(reply, () -> tools.find(caller, target.name())));
    }

    private static boolean isLegacy(Routes table, MergedList<ToolDefinition> list, String name) {
        return list.owner(name)
                .flatMap(own -> table.find(own.server()))
                .filter(LegacyTools::isLegacy)
                .isPresent();
    }

    /** Of a server that was not connected yet this is not known; schemas in need of a change are modern ones. */
    private static boolean isLegacy(Route route) {
        return route.upstream().era().filter(era -> era == Era.LEGACY).isPresent();
    }

    /** Decides by the era of the server when that has answered, since the call may be what connects it. */
    private record WhenAnswered(Route route, Reply plain, Reply downgrading) implements Reply {

        @Override
        public void event(Message progressOrLog) {
            plain.event(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            (isLegacy(route) ? plain : downgrading).done(outcome);
        }
    }
}
