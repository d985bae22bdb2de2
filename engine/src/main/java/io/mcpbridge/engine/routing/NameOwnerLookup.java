package io.mcpbridge.engine.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.engine.routing.RoutingTable.OwnName;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the server of a tool or a prompt by the name that clients see. Any thread; never waits. */
record NameOwnerLookup(ListAggregator lists) {

    /**
     * A tool or prompt at its server.
     *
     * @param name its name there
     */
    record Target(ServerRoute route, String name) {}

    /**
     * Finds the target of a name for the caller of a call. Calls either {@code rejected} or {@code found}, once.
     *
     * @param exposed null if the call names nothing
     */
    void find(
            RoutingTable table,
            Call call,
            ListKind<?> kind,
            @Nullable String exposed,
            Reply rejected,
            Consumer<Target> found) {
        if (exposed == null) {
            Router.rejectIncomplete(call, rejected, "name");
        } else if (!table.filter(kind, call.caller()).test(exposed)) {
            reject(rejected, unknown(kind, exposed));
        } else if (table.names() == ToolNaming.PREFIX) {
            findPrefixed(table, call, kind, exposed, rejected, found);
        } else {
            findPlain(table, call, kind, exposed, rejected, found);
        }
    }

    private static void findPrefixed(
            RoutingTable table, Call call, ListKind<?> kind, String exposed, Reply rejected, Consumer<Target> found) {
        var own = table.parsePrefixed(kind, exposed);
        var target = own.flatMap(named -> target(table, kind, named)).orElse(null);
        if (target == null) {
            reject(
                    rejected,
                    own.flatMap(named -> table.whyAbsent(named.server()))
                            .map(reason -> unavailable("Unknown %s: %s; %s".formatted(kind.word(), exposed, reason)))
                            .orElseGet(() -> unknown(kind, exposed)));
        } else if (kind == ListKind.TOOLS && wanted(target).isUnlisted(call)) {
            new ToolLookup(
                            call,
                            wanted(target),
                            () -> unknown(call, exposed, target),
                            () -> found.accept(target),
                            // The server decides, and the schema check if there is one.
                            why -> found.accept(target),
                            why -> reject(rejected, why))
                    .begin();
        } else {
            found.accept(target);
        }
    }

    private void findPlain(
            RoutingTable table, Call call, ListKind<?> kind, String exposed, Reply rejected, Consumer<Target> found) {
        // Looks in the cached lists first, so that a server that is slow to list delays no call.
        var owners = table.all().stream()
                .filter(route -> route.own(kind, exposed)
                        .flatMap(own -> route.lists().of(kind).find(call.caller(), own.name()))
                        .isPresent())
                .toList();
        if (owners.isEmpty()) {
            lists.mergeForLookup(
                    table,
                    call,
                    kind,
                    list -> list.owner(exposed)
                            .flatMap(own -> target(table, kind, own))
                            .or(() -> withheld(table, kind, exposed))
                            .ifPresentOrElse(
                                    found, () -> reject(rejected, unlisted(table, call, kind, exposed, list))));
            return;
        }
        var isClash = owners.size() > 1;
        Optional<Target> target =
                isClash ? Optional.empty() : owners.get(0).own(kind, exposed).flatMap(own -> target(table, kind, own));
        target.ifPresentOrElse(found, () -> reject(rejected, unknown(kind, exposed)));
    }

    /** Finds a tool that the catalog withholds, so that its call is rejected with the reason when it is about to be sent. */
    private static Optional<Target> withheld(RoutingTable table, ListKind<?> kind, String exposed) {
        return targets(table, kind, exposed)
                .filter(target -> kind == ListKind.TOOLS && wanted(target).isWithheld())
                .findFirst();
    }

    /** The targets that a plain name has if their servers list it. */
    private static Stream<Target> targets(RoutingTable table, ListKind<?> kind, String exposed) {
        return table.all().stream()
                .flatMap(route -> route.own(kind, exposed).flatMap(own -> target(table, kind, own)).stream());
    }

    private static ToolLookup.Wanted wanted(Target target) {
        return new ToolLookup.Wanted(target.route().upstream(), target.name());
    }

    private static void reject(Reply rejected, Failure why) {
        rejected.complete(Outcome.failed(why));
    }

    /** Returns the failure for a name that no server has listed; it may belong to a server that does not answer. */
    private static Failure unlisted(
            RoutingTable table, Call call, ListKind<?> kind, String exposed, MergedList<?> list) {
        if (list.missing().isEmpty()) {
            return targets(table, kind, exposed)
                    .filter(target -> kind == ListKind.TOOLS
                            && wanted(target).whyRejected(call).isPresent())
                    .findFirst()
                    .map(target -> unknown(call, exposed, target))
                    .orElseGet(() -> unknown(kind, exposed));
        }
        return unavailable("Unknown %s: %s; it may be one of the server(s) %s, which cannot be asked at the moment"
                        .formatted(kind.word(), exposed, list.missing()))
                .withRetryable(true);
    }

    private static Failure unknown(Call call, String exposed, Target target) {
        return ToolLookup.unknown(call, exposed, wanted(target));
    }

    private static Failure unknown(ListKind<?> kind, String exposed) {
        return Failure.of(ErrorCode.INVALID_PARAMS, "Unknown %s: %s".formatted(kind.word(), exposed));
    }

    private static Failure unavailable(String why) {
        return Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, why).withRetryable(false);
    }

    /** Finds the element with an exposed name in the cached lists for {@code caller}; does not ask a server. */
    static <T> Optional<T> known(RoutingTable table, Caller caller, ListKind<T> kind, String exposed) {
        if (!table.filter(kind, caller).test(exposed)) {
            return Optional.empty();
        }
        if (table.names() == ToolNaming.PREFIX) {
            return table.parsePrefixed(kind, exposed)
                    .flatMap(own -> table.find(own.server())
                            .flatMap(route -> route.lists().of(kind).find(caller, own.name())));
        }
        var found = table.all().stream()
                .flatMap(route ->
                        route
                                .own(kind, exposed)
                                .flatMap(own -> route.lists().of(kind).find(caller, own.name()))
                                .stream())
                .toList();
        return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
    }

    /** Returns the target of a name; empty if clients do not see it, since they cannot call it either. */
    private static Optional<Target> target(RoutingTable table, ListKind<?> kind, OwnName own) {
        return table.find(own.server())
                .filter(route -> route.expose(kind, table.names(), own.name()).isPresent())
                .filter(route -> kind != ListKind.TOOLS
                        || route.upstream().settings().toolFilter().admits(own.name()))
                .map(route -> new Target(route, own.name()));
    }
}
