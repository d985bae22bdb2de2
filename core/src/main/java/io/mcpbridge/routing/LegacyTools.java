package io.mcpbridge.routing;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Era;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.translate.LegacySchema;
import io.mcpbridge.upstream.ListKind;
import java.util.List;

/** Tools of modern servers as clients of the legacy era get them described, and what they return. */
final class LegacyTools {

    private LegacyTools() {}

    /** What a server lists, as the caller can understand it. */
    @SuppressWarnings("unchecked") // The kind tells what the elements are.
    static <T> List<T> described(Caller caller, Route route, ListKind<T> kind, List<T> items) {
        if (kind != ListKind.TOOLS || !isOfAnotherEra(caller, route)) {
            return items;
        }
        return (List<T>) ((List<ToolDefinition>) items)
                .stream().map(LegacySchema::downgrade).toList();
    }

    /** The way back of a call of what {@code name} names at its server. */
    static Reply answered(Caller caller, NameOwners.Target target, ListKind<?> kind, Reply reply) {
        if (kind != ListKind.TOOLS || !isOfAnotherEra(caller, target.route())) {
            return reply;
        }
        var tools = target.route().lists().tools();
        return LegacySchema.downgrade(reply, () -> tools.find(caller, target.name()));
    }

    private static boolean isOfAnotherEra(Caller caller, Route route) {
        return caller.era() == Era.LEGACY
                && route.upstream().era().filter(Era.MODERN::equals).isPresent();
    }
}
