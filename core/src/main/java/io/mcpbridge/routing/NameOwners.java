package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.upstream.ListKind;
import java.util.Optional;
import java.util.function.Consumer;

/** Finds the server of a tool or a prompt by the name that clients see. Any thread; never waits. */
final class NameOwners {
    private final Lists lists;

    NameOwners(Lists lists) {
        this.lists = lists;
    }

    /**
     * Where a name leads.
     *
     * @param name its name there
     */
    record Target(Route route, String name) {}

    /** Hands the target to {@code then}; empty if the name leads nowhere for this caller. */
    void find(Routes table, Call call, ListKind<?> kind, String exposed, Consumer<Optional<Target>> then) {
        if (table.names() == ToolNaming.PREFIX) {
            then.accept(OwnName.parsePrefixed(exposed).flatMap(own -> target(table, kind, own)));
            return;
        }
        // Among what is known first, so that a server which is slow to list keeps nobody waiting.
        var owners = table.all().stream()
                .filter(route ->
                        route.lists().of(kind).find(call.caller(), exposed).isPresent())
                .toList();
        if (owners.isEmpty()) {
            lists.merged(
                    table,
                    call,
                    kind,
                    list -> then.accept(list.owner(exposed).flatMap(own -> target(table, kind, own))));
            return;
        }
        var isClash = owners.size() > 1;
        then.accept(
                isClash
                        ? Optional.empty()
                        : target(table, kind, new OwnName(owners.get(0).server(), exposed)));
    }

    /** What {@code caller} would reach by a name, as far as it is known without asking a server. */
    static <T> Optional<T> known(Routes table, Caller caller, ListKind<T> kind, String exposed) {
        if (table.names() == ToolNaming.PREFIX) {
            return OwnName.parsePrefixed(exposed)
                    .flatMap(own -> table.find(own.server())
                            .flatMap(route -> route.lists().of(kind).find(caller, own.name())));
        }
        var found = table.all().stream()
                .flatMap(route -> route.lists().of(kind).find(caller, exposed).stream())
                .toList();
        return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
    }

    /** What clients do not see they cannot call either. */
    private static Optional<Target> target(Routes table, ListKind<?> kind, OwnName own) {
        return MergedList.expose(kind, table.names(), own)
                .flatMap(exposed -> table.find(own.server()))
                .map(route -> new Target(route, own.name()));
    }
}
